/** A function of JSONata: its name, its arguments and what it returns. */
export type JsonataFunction = { name: string; takes: string; returns: string };

const list = `
abs(number) the absolute value
append(list, list) both lists as one
assert(condition, message) fails unless the condition is true
average(numbers) the mean
base64decode(text) the decoded text
base64encode(text) the text in Base64
boolean(value) whether the value counts as true
ceil(number) the next whole number above
contains(text, pattern) whether the text has the pattern
count(list) the number of items
decodeUrl(text) the decoded address
decodeUrlComponent(text) the decoded part of an address
distinct(list) the items without repetitions
each(object, function) the results for each member
encodeUrl(text) the encoded address
encodeUrlComponent(text) the encoded part of an address
error(message) fails with the message
exists(value) whether there is a value
filter(list, function) the items for which the function is true
floor(number) the next whole number below
formatBase(number, base) the number in another base
formatInteger(number, picture) the number in words or by a picture
formatNumber(number, picture) the number by a picture such as #,##0.00
fromMillis(number) the time as ISO 8601
join(texts, separator) the texts as one
keys(object) the names of the members
length(text) the number of characters
lookup(object, name) the member with the name
lowercase(text) the text in lower case
map(list, function) the results for each item
match(text, pattern) what the pattern matches
max(numbers) the largest one
merge(objects) one object with all members
millis() the time in milliseconds
min(numbers) the smallest one
not(value) true for what counts as false
now() the time as ISO 8601
number(value) the value as a number
pad(text, width, char) the text with this width
parseInteger(text, picture) the number of a text
power(base, exponent) the power
random() a number from 0 to 1
reduce(list, function, start) one value of all items
replace(text, pattern, replacement) the text with replacements
reverse(list) the items in reverse order
round(number, digits) the rounded number
shuffle(list) the items in any order
sift(object, function) the members for which the function is true
single(list, function) the only item for which it is true
sort(list, function) the items in order
split(text, separator) the parts of the text
spread(object) an object for each member
sqrt(number) the square root
string(value) the value as a text
substring(text, start, length) a part of the text
substringAfter(text, part) the text after the part
substringBefore(text, part) the text before the part
sum(numbers) the sum
toMillis(text) the milliseconds of a time
trim(text) the text without outer spaces
type(value) the name of the type
uppercase(text) the text in upper case
zip(list, list) lists of items with the same place
`;

/** The functions that expressions can call. */
export const jsonataFunctions: readonly JsonataFunction[] = list
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [, name, takes, returns] = /^(\w+)\((.*?)\) (.*)$/.exec(line) ?? [];
    return name !== undefined && takes !== undefined && returns !== undefined
      ? [{ name, takes, returns }]
      : [];
  });
