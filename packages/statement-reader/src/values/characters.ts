/** Returns whether a text has only printable ASCII characters. */
export function isPlainAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** Removes the invisible marks with which programs set the direction of writing, as in Arabic and Hebrew statements. */
export function withoutDirectionMarks(text: string): string {
  return text.replace(/[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g, '');
}

/**
 * Replaces the decimal digits of other scripts by ASCII digits: `٢٠٢٥` and `๒๐๒๕` become `2025`. The Arabic separators of decimals and of
 * groups become `.` and `,`.
 */
export function toAsciiDigits(text: string): string {
  return text
    .replace(/\p{Nd}/gu, (digit) => {
      const script = scripts.find((digits) => digits.includes(digit));
      return script === undefined ? digit : String(script.indexOf(digit));
    })
    .replace(/٫/g, '.')
    .replace(/٬/g, ',');
}

/** The digits 0 to 9: Arabic, Persian, Devanagari, Bengali, Thai and full-width. */
const scripts = ['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '०१२३४५६७८९', '০১২৩৪৫৬৭৮৯', '๐๑๒๓๔๕๖๗๘๙', '０１２３４５６７８９'];
