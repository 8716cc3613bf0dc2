/**
 * Text for a terminal without anything that would move its cursor or change its colours: messages quote cells of files
 * and names that others chose. Line ends stay.
 */
export function toPlainText(text: string): string {
  return text.replace(/(?!\n)\p{Cc}/gu, ' ');
}
