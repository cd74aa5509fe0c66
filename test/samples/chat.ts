/** Payloads from the providers' documentation, with the messages in them and the addresses of their replies. */
export const samples = {
  /** https://docs.slack.dev/reference/events/message, app_mention, and /interactivity/implementing-slash-commands. */
  slack: {
    answeredTo: "C123ABC456",
    withMessage: [
      {
        name: "a message",
        payload: {
          token: "one-long-verification-token",
          team_id: "T123ABC456",
          api_app_id: "A123ABC456",
          type: "event_callback",
          event_id: "Ev123ABC456",
          event_time: 1355517523,
          event: {
            type: "message",
            channel: "C123ABC456",
            user: "U123ABC456",
            text: "Hello world",
            ts: "1355517523.000005",
          },
        },
        message: {
          id: "1355517523.000005",
          user: { id: "U123ABC456", name: null },
          conversation: { id: "C123ABC456", name: null },
          text: "Hello world",
        },
      },
      {
        name: "a mention in a thread",
        payload: {
          type: "event_callback",
          event: {
            type: "app_mention",
            user: "U061F7AUR",
            text: "<@U0LAN0Z89> is it everything a river should be?",
            ts: "1515449522.000016",
            thread_ts: "1515449483.000108",
            channel: "C123ABC456",
            event_ts: "1515449522000016",
          },
        },
        message: {
          id: "1515449522.000016",
          conversation: { id: "C123ABC456:1515449483.000108", name: null },
          text: "is it everything a river should be?",
        },
      },
      {
        name: "a slash command",
        contentType: "application/x-www-form-urlencoded",
        payload:
          "token=gIkuvaNzQIHg97ATvDxqgjtO&team_id=T0001&channel_id=C2147483705&channel_name=test&user_id=U2147483697&user_name=Steve&command=/weather&text=94070&response_url=https://hooks.slack.com/commands/1234/5678&trigger_id=13345224609.738474920.8088930838d88f008e0",
        message: {
          id: "13345224609.738474920.8088930838d88f008e0",
          user: { id: "U2147483697", name: "Steve" },
          conversation: { id: "C2147483705", name: "test" },
          text: "94070",
        },
      },
    ],
    withoutMessage: [
      {
        name: "what a bot said",
        payload: {
          type: "event_callback",
          event: {
            type: "message",
            subtype: "bot_message",
            ts: "1358877455.000010",
            text: "Pushing is the answer",
            bot_id: "BB12033",
            username: "github",
            channel: "C1",
          },
        },
      },
      {
        name: "its own answer",
        payload: {
          type: "event_callback",
          event: {
            type: "message",
            user: "U1",
            bot_id: "B1",
            ts: "1.2",
            text: "Hello back",
            channel: "C1",
          },
        },
      },
      {
        name: "an edit",
        payload: {
          type: "event_callback",
          event: {
            type: "message",
            subtype: "message_changed",
            hidden: true,
            channel: "C123ABC456",
            ts: "1358878755.000001",
            message: { type: "message", user: "U123ABC456", text: "Hello, world!" },
          },
        },
      },
      {
        name: "somebody who joined",
        payload: {
          type: "event_callback",
          event: {
            type: "message",
            subtype: "channel_join",
            ts: "1358877458.000011",
            user: "U123ABC456",
            text: "<@U123ABC456|cal> has joined the channel",
            channel: "C1",
          },
        },
      },
    ],
  },
  /** https://core.telegram.org/bots/webhooks#testing-your-bot-with-updates. */
  telegram: {
    answeredTo: "1111111",
    withMessage: [
      {
        name: "a message",
        payload: {
          update_id: 10000,
          message: {
            date: 1441645532,
            chat: { last_name: "Test Lastname", id: 1111111, first_name: "Test", username: "Test" },
            message_id: 1365,
            from: { last_name: "Test Lastname", id: 1111111, first_name: "Test", username: "Test" },
            text: "/start",
          },
        },
        message: {
          id: "1365",
          user: { id: "1111111", name: "Test Test Lastname" },
          conversation: { id: "1111111", name: "Test Test Lastname" },
          text: "/start",
        },
      },
    ],
    withoutMessage: [
      {
        name: "an edit",
        payload: {
          update_id: 10000,
          edited_message: {
            date: 1441645532,
            chat: { id: 1111111, type: "private", first_name: "Test" },
            message_id: 1365,
            from: { id: 1111111, first_name: "Test" },
            text: "Edited text",
            edit_date: 1441646600,
          },
        },
      },
      {
        name: "somebody who joined",
        payload: {
          update_id: 1,
          message: {
            message_id: 2,
            chat: { id: 1 },
            from: { id: 3, is_bot: false, first_name: "Ada" },
            new_chat_members: [{ id: 3 }],
          },
        },
      },
      {
        name: "what a bot said",
        payload: {
          update_id: 1,
          message: { message_id: 2, chat: { id: 1 }, from: { id: 3, is_bot: true }, text: "hi" },
        },
      },
    ],
  },
  /** https://discord.com/developers/docs/interactions/application-commands#slash-commands-example-interaction. */
  discord: {
    answeredTo: "645027906669510000/A_UNIQUE_TOKEN",
    withMessage: [
      {
        name: "a slash command",
        payload: {
          type: 2,
          token: "A_UNIQUE_TOKEN",
          member: {
            user: {
              id: "53908232506183680",
              username: "Mason",
              avatar: "a_d5efa99b3eeaa7dd43acca82f5692432",
              discriminator: "1337",
              public_flags: 131141,
            },
            roles: ["539082325061836999"],
            permissions: "2147483647",
            joined_at: "2017-03-13T19:19:14.040000+00:00",
          },
          id: "786008729715212338",
          application_id: "645027906669510000",
          guild_id: "290926798626357999",
          data: {
            options: [{ type: 3, name: "cardname", value: "The Gitrog Monster" }],
            type: 1,
            name: "cardsearch",
            id: "771825006014889984",
          },
          channel_id: "645027906669510667",
        },
        message: {
          id: "786008729715212338",
          user: { id: "53908232506183680", name: "Mason" },
          conversation: { id: "645027906669510667", name: null },
          text: "The Gitrog Monster",
        },
      },
    ],
    withoutMessage: [
      {
        name: "a button",
        payload: {
          type: 3,
          token: "unique_interaction_token",
          id: "846462639134605312",
          application_id: "845027738276462632",
          channel_id: "345626669114982999",
          member: { user: { id: "53908232506183680", username: "Mason" } },
          data: { custom_id: "click_one", component_type: 2 },
        },
      },
      { name: "a ping", payload: { type: 1, id: "1", token: "t", application_id: "2" } },
    ],
  },
  /** https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/payload-examples, and Messenger's. */
  meta: {
    answeredTo: "106540352242922:16505551234",
    withMessage: [
      {
        name: "a WhatsApp message",
        payload: {
          object: "whatsapp_business_account",
          entry: [
            {
              id: "102290129340398",
              changes: [
                {
                  field: "messages",
                  value: {
                    messaging_product: "whatsapp",
                    metadata: {
                      display_phone_number: "15550783881",
                      phone_number_id: "106540352242922",
                    },
                    contacts: [{ profile: { name: "Sheena Nelson" }, wa_id: "16505551234" }],
                    messages: [
                      {
                        from: "16505551234",
                        id: "wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=",
                        timestamp: "1749416383",
                        type: "text",
                        text: { body: "Does it come in another color?" },
                      },
                    ],
                  },
                },
              ],
            },
          ],
        },
        message: {
          id: "wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=",
          user: { id: "16505551234", name: "Sheena Nelson" },
          conversation: { id: "106540352242922:16505551234", name: "Sheena Nelson" },
          text: "Does it come in another color?",
        },
      },
      {
        name: "a Messenger message",
        payload: {
          object: "page",
          entry: [
            {
              id: "682498302938465",
              time: 1518479195594,
              messaging: [
                {
                  sender: { id: "PSID" },
                  recipient: { id: "682498302938465" },
                  timestamp: 1518479195308,
                  message: { mid: "mid.$cAAJdkrCd2ORnva8ErFhjGm0X_Q_c", text: "hello" },
                },
              ],
            },
          ],
        },
        message: {
          id: "mid.$cAAJdkrCd2ORnva8ErFhjGm0X_Q_c",
          user: { id: "PSID", name: null },
          conversation: { id: "682498302938465:PSID", name: null },
          text: "hello",
        },
      },
    ],
    withoutMessage: [
      {
        name: "what became of an answer",
        payload: {
          object: "whatsapp_business_account",
          entry: [
            {
              id: "1",
              changes: [
                {
                  field: "messages",
                  value: {
                    messaging_product: "whatsapp",
                    metadata: { phone_number_id: "1" },
                    statuses: [{ id: "wamid.1", status: "delivered", recipient_id: "2" }],
                  },
                },
              ],
            },
          ],
        },
      },
      {
        name: "an echo of its own answer",
        payload: {
          object: "page",
          entry: [
            {
              messaging: [
                {
                  sender: { id: "1" },
                  recipient: { id: "2" },
                  message: { is_echo: true, mid: "m", text: "hi" },
                },
              ],
            },
          ],
        },
      },
    ],
  },
  /** https://learn.microsoft.com/microsoftteams/platform/bots/build-conversational-capability. */
  teams: {
    answeredTo:
      "a:17I0kl8EkpE1O9PH5TWrzrLNwnWWcfrU7QZjKR0WSfOpzbfcAg2IaydGElSo10tVr4C7Fc6GtieTJX663WuJCc1uA83n4CSrHSgGBj5XNYLcVlJAs2ZX8DbYBPck201w-",
    withMessage: [
      {
        name: "a message",
        payload: {
          text: "<at>Bot</at> Hello Teams Toolkit",
          textFormat: "plain",
          type: "message",
          timestamp: "2023-03-08T05:13:16.1158197Z",
          id: "1678252396108",
          channelId: "msteams",
          serviceUrl: "https://smba.trafficmanager.net/teams",
          from: {
            id: "29:1q_aBzVZRIVFhGLVYMzRYMrWbYZ-0u5bLTRCLRmJFoU0",
            name: "Ada",
            aadObjectId: "4ec0-9e1a",
          },
          conversation: {
            conversationType: "personal",
            tenantId: "72f988bf",
            id: "a:17I0kl8EkpE1O9PH5TWrzrLNwnWWcfrU7QZjKR0WSfOpzbfcAg2IaydGElSo10tVr4C7Fc6GtieTJX663WuJCc1uA83n4CSrHSgGBj5XNYLcVlJAs2ZX8DbYBPck201w-",
          },
          recipient: { id: "28:c9e8c047-2a34-40a1-b28a-b162d5f5327c", name: "Bot" },
        },
        message: {
          id: "1678252396108",
          user: { id: "4ec0-9e1a", name: "Ada" },
          text: "Hello Teams Toolkit",
        },
      },
    ],
    withoutMessage: [
      {
        name: "who was added",
        payload: {
          type: "conversationUpdate",
          membersAdded: [{ id: "28:1" }],
          id: "f:5f85c2ad",
          serviceUrl: "https://smba.trafficmanager.net/teams",
          from: { id: "29:1" },
          conversation: { id: "a:1" },
          recipient: { id: "28:1" },
        },
      },
      {
        name: "an edit",
        payload: { type: "messageUpdate", id: "1", text: "edited", from: { id: "29:1" } },
      },
    ],
  },
  generic: {
    answeredTo: "c-1",
    withMessage: [
      {
        name: "a message",
        payload: {
          id: "m-1",
          user: { id: "u-1", name: "Ada" },
          conversation: { id: "c-1" },
          text: "Hello",
        },
        message: {
          id: "m-1",
          user: { id: "u-1", name: "Ada" },
          conversation: { id: "c-1", name: null },
          text: "Hello",
        },
      },
    ],
    withoutMessage: [{ name: "half a message", payload: { id: "m-1", text: "Hello" } }],
  },
} as const;
