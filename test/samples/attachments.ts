const slackMessage = (files: readonly object[], text = "") => ({
  type: "event_callback",
  event: {
    type: "message",
    subtype: "file_share",
    channel: "C1",
    user: "U1",
    text,
    ts: "1355517523.000005",
    files,
  },
});

const telegramMessage = (content: object) => ({
  update_id: 1,
  message: { message_id: 7, from: { id: 5, is_bot: false }, chat: { id: 5 }, ...content },
});

const discordCommand = (options: readonly object[], attachments: object) => ({
  type: 2,
  token: "A_UNIQUE_TOKEN",
  member: { user: { id: "53908232506183680", username: "Mason" } },
  id: "786008729715212338",
  application_id: "645027906669510000",
  channel_id: "645027906669510667",
  data: { name: "read", type: 1, options, resolved: { attachments } },
});

const whatsAppMessage = (message: object) => ({
  object: "whatsapp_business_account",
  entry: [
    {
      changes: [
        {
          field: "messages",
          value: {
            messaging_product: "whatsapp",
            metadata: { phone_number_id: "106540352242922" },
            messages: [{ from: "16505551234", id: "wamid.1", ...message }],
          },
        },
      ],
    },
  ],
});

const messengerMessage = (message: object) => ({
  object: "page",
  entry: [
    {
      messaging: [
        { sender: { id: "1" }, recipient: { id: "2" }, message: { mid: "m-1", ...message } },
      ],
    },
  ],
});

const teamsMessage = (service: string, attachments: readonly object[], text?: string) => ({
  type: "message",
  id: "1678252396108",
  channelId: "msteams",
  serviceUrl: service,
  from: { id: "29:1", name: "Ada", aadObjectId: "ada" },
  conversation: { id: "a:1" },
  recipient: { id: "28:1" },
  attachments,
  ...(text !== undefined && { text }),
});

/**
 * Payloads with one photo without a text, as the providers' documentation has them, with the attachment that is read of it.
 * Files of the fakes at `url` (test/harness/chat-apis/chat-files.ts) have the given name.
 */
export const withPhoto = {
  slack: (url: string, name = "photo.png") => ({
    payload: slackMessage([
      {
        id: "F1",
        name: "photo.png",
        mimetype: "image/png",
        size: 80,
        url_private_download: `${url}/slack/files/${name}`,
      },
    ]),
    attachment: {
      name: "photo.png",
      mediaType: "image/png",
      bytes: 80,
      location: { reference: { id: "F1", url: `${url}/slack/files/${name}` } },
    },
  }),
  telegram: (_url: string, name = "photo.png") => ({
    payload: telegramMessage({
      photo: [
        { file_id: "small", width: 90, height: 51, file_size: 10 },
        { file_id: name, width: 800, height: 457, file_size: 80 },
        { file_id: "middle", width: 320, height: 183, file_size: 30 },
      ],
    }),
    attachment: {
      name: "photo.jpeg",
      mediaType: "image/jpeg",
      bytes: 80,
      location: { reference: { id: name } },
    },
  }),
  discord: (url: string, name = "photo.png") => ({
    payload: discordCommand([{ type: 11, name: "file", value: "99" }], {
      99: {
        id: "99",
        filename: "photo.png",
        content_type: "image/png",
        size: 80,
        url: `${url}/public/99/${name}`,
      },
    }),
    attachment: {
      name: "photo.png",
      mediaType: "image/png",
      bytes: 80,
      location: { url: `${url}/public/99/${name}` },
    },
  }),
  meta: (_url: string, name = "photo.png") => ({
    payload: whatsAppMessage({
      type: "image",
      image: { id: `media-${name}`, mime_type: "image/png", sha256: "x" },
    }),
    attachment: {
      name: "image.png",
      mediaType: "image/png",
      bytes: null,
      location: { reference: { media: `media-${name}` } },
    },
  }),
  teams: (url: string, name = "photo.png") => ({
    payload: teamsMessage(`${url}/teams/service`, [
      {
        contentType: "image/*",
        contentUrl: `${url}/teams/service/v3/attachments/${name}/views/original`,
      },
      { contentType: "text/html", content: "<div><img></div>" },
    ]),
    attachment: {
      name: "image",
      mediaType: "image/*",
      bytes: null,
      location: {
        reference: { url: `${url}/teams/service/v3/attachments/${name}/views/original` },
      },
    },
  }),
  generic: (url: string, name = "photo.png") => ({
    payload: {
      id: "m-1",
      user: { id: "u-1", name: "Ada" },
      conversation: { id: "c-1" },
      text: "",
      attachments: [{ url: `${url}/public/${name}`, name: "photo.png" }],
    },
    attachment: {
      name: "photo.png",
      mediaType: null,
      bytes: null,
      location: { url: `${url}/public/${name}` },
    },
  }),
} as const;

/** Other payloads with attachments: their text, and the names and locations of what is read of them. */
export const otherAttachments = [
  {
    provider: "slack",
    name: "files with a text, one of them of another workspace",
    payload: slackMessage(
      [
        { id: "F1", name: "a.pdf", url_private_download: "https://files.slack.com/a.pdf" },
        { id: "F2", file_access: "check_file_info" },
        { name: "without an id" },
      ],
      "<@U9> Read this",
    ),
    text: "Read this",
    read: [
      ["a.pdf", { reference: { id: "F1", url: "https://files.slack.com/a.pdf" } }],
      [null, { reference: { id: "F2" } }],
    ],
  },
  {
    provider: "telegram",
    name: "a document with a caption",
    payload: telegramMessage({
      caption: "Read this",
      document: { file_id: "d", file_name: "a.pdf", mime_type: "application/pdf", file_size: 9 },
    }),
    text: "Read this",
    read: [["a.pdf", { reference: { id: "d" } }]],
  },
  {
    provider: "telegram",
    name: "an animation, which is a document, too",
    payload: telegramMessage({
      animation: { file_id: "d", mime_type: "video/mp4" },
      document: { file_id: "d", mime_type: "video/mp4" },
    }),
    text: "",
    read: [["document.mp4", { reference: { id: "d" } }]],
  },
  ...(["audio", "voice", "video", "video_note"] as const).map((kind) => ({
    provider: "telegram" as const,
    name: `${kind} without a name`,
    payload: telegramMessage({ [kind]: { file_id: "f", mime_type: "audio/ogg" } }),
    text: "",
    read: [[`${kind.replace("_note", "")}.ogg`, { reference: { id: "f" } }]],
  })),
  {
    provider: "discord",
    name: "a text and a file of a command",
    payload: discordCommand(
      [
        { type: 3, name: "question", value: "What is it?" },
        { type: 11, name: "file", value: "99" },
        { type: 11, name: "other", value: "100" },
      ],
      { 99: { filename: "a.pdf", url: "https://cdn.discordapp.com/a.pdf?ex=1" } },
    ),
    text: "What is it?",
    read: [["a.pdf", { url: "https://cdn.discordapp.com/a.pdf?ex=1" }]],
  },
  {
    provider: "discord",
    name: "a file of a command without a text",
    payload: discordCommand([{ type: 11, name: "file", value: "99" }], {
      99: { filename: "a.pdf", url: "https://cdn.discordapp.com/a.pdf" },
    }),
    text: "/read",
    read: [["a.pdf", { url: "https://cdn.discordapp.com/a.pdf" }]],
  },
  {
    provider: "meta",
    name: "a document with a caption",
    payload: whatsAppMessage({
      type: "document",
      document: { id: "5", filename: "a.pdf", mime_type: "application/pdf", caption: "Read this" },
    }),
    text: "Read this",
    read: [["a.pdf", { reference: { media: "5" } }]],
  },
  {
    provider: "meta",
    name: "a voice message",
    payload: whatsAppMessage({
      type: "audio",
      audio: { id: "5", mime_type: "audio/ogg; codecs=opus", voice: true },
    }),
    text: "",
    read: [["audio.ogg", { reference: { media: "5" } }]],
  },
  {
    provider: "meta",
    name: "the files of a Messenger message, without its stickers and shared pages",
    payload: messengerMessage({
      attachments: [
        { type: "file", payload: { url: "https://cdn.fbsbx.com/a.pdf" } },
        {
          type: "image",
          payload: { url: "https://scontent.xx.fbcdn.net/like.png", sticker_id: 3 },
        },
        { type: "fallback", payload: { url: "https://example.com/page" } },
      ],
    }),
    text: "",
    read: [[null, { url: "https://cdn.fbsbx.com/a.pdf" }]],
  },
  {
    provider: "teams",
    name: "a file of a personal chat",
    payload: teamsMessage(
      "https://smba.trafficmanager.net/teams",
      [
        {
          contentType: "application/vnd.microsoft.teams.file.download.info",
          contentUrl: "https://contoso.sharepoint.com/personal/ada/Documents/a.pdf",
          name: "a.pdf",
          content: {
            downloadUrl: "https://contoso.sharepoint.com/download?tempauth=t",
            uniqueId: "1150D938-8870-4044-9F2C-5BBDEBA70C9D",
            fileType: "pdf",
          },
        },
        { contentType: "application/vnd.microsoft.card.adaptive", content: {} },
      ],
      "<at>Bot</at> Read this",
    ),
    text: "Read this",
    read: [["a.pdf", { url: "https://contoso.sharepoint.com/download?tempauth=t" }]],
  },
  {
    provider: "generic",
    name: "an address and a content with a text",
    payload: {
      id: "m-1",
      user: { id: "u-1" },
      conversation: { id: "c-1" },
      text: "Read this",
      attachments: [{ url: "https://example.com/a.pdf" }, { base64: "QQ==", name: "b.txt" }],
    },
    text: "Read this",
    read: [
      [null, { url: "https://example.com/a.pdf" }],
      ["b.txt", { base64: "QQ==" }],
    ],
  },
] as const;
