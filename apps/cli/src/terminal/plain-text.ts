/** What turns the direction of the text after it: with it a name can make a line read as another one. */
const directionMarks = '\\u202A-\\u202E\\u2066-\\u2069';

/**
 * Text for a terminal without anything that would move its cursor, change its colours or turn its direction: messages
 * quote cells of files and names that others chose. Line ends stay.
 */
export function toPlainText(text: string): string {
  return text.replace(linesKept, ' ');
}

/** The same on one line: a description may hold line ends. */
export function toOneLine(text: string): string {
  return text.replace(linesJoined, ' ');
}

const linesKept = new RegExp(`(?!\\n)[\\p{Cc}${directionMarks}]`, 'gu');
const linesJoined = new RegExp(`[\\p{Cc}${directionMarks}]+`, 'gu');
