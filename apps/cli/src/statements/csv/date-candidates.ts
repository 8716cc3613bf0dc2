import { compileDateFormat, type DateReader } from './date-format.js';

/** A format that is tried on the dates of every file. */
export interface DateCandidate {
  readonly format: string;
  readonly read: DateReader;
}

/**
 * Months before days with points are not tried: no bank seen writes them, and they would make every `22.02.18`
 * ambiguous.
 */
const formats = [
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'YYYY.MM.DD',
  'YYYY.MM.DD.',
  'YYYY. MM. DD.',
  'YYYYMMDD',
  'YYYY年MM月DD日',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'MM-DD-YYYY',
  'DD-MM-YYYY',
  'MMDDYYYY',
  'DDMMYYYY',
  'MM/DD/YY',
  'DD/MM/YY',
  'MM-DD-YY',
  'DD-MM-YY',
  'DD.MM.YYYY',
  'DD.MM.YYYY.',
  'DD. MM. YYYY',
  'DD.MM.YY',
  'YY/MM/DD',
  'YY-MM-DD',
  'YY.MM.DD',
  'DD-MMM-YYYY',
  'DD MMM YYYY',
  'DD/MMM/YYYY',
  'DD.MMM.YYYY',
  'DDMMMYYYY',
  'DD-MMM-YY',
  'DD MMM YY',
  'DD/MMM/YY',
  'YYYY-MMM-DD',
  'MMM DD, YYYY',
  'MMM DD YYYY',
  'MMM-DD-YYYY',
] as const;

type Format = (typeof formats)[number];

export const dateCandidates: readonly DateCandidate[] = formats.map((format) => {
  const read = compileDateFormat(format);
  if (read === undefined) throw new RangeError(`Not a date format: ${format}`);
  return { format, read };
});

/** Pairs of candidates, by their places, that read one shape with day and month exchanged; the month-first one first. */
export const swappedPairs: readonly (readonly [number, number])[] = formats.flatMap((format, index) => {
  const swapped = formats.indexOf(format.replace(/^MM(.?)DD/, 'DD$1MM') as Format);
  return /^MM(?!M)/.test(format) ? [[index, swapped] as const] : [];
});

/**
 * Candidates that read one shape with its year at the end, and the one that reads it with the year at the front;
 * `isCertain` where nobody has been seen to write that.
 */
export const yearPairs: readonly { atEnd: readonly number[]; atFront: number; isCertain: boolean }[] = [
  {
    atEnd: [formats.indexOf('DD/MM/YY'), formats.indexOf('MM/DD/YY')],
    atFront: formats.indexOf('YY/MM/DD'),
    isCertain: false,
  },
  {
    atEnd: [formats.indexOf('DD-MM-YY'), formats.indexOf('MM-DD-YY')],
    atFront: formats.indexOf('YY-MM-DD'),
    isCertain: false,
  },
  { atEnd: [formats.indexOf('DD.MM.YY')], atFront: formats.indexOf('YY.MM.DD'), isCertain: true },
];
