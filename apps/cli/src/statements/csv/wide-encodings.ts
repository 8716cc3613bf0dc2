/** An encoding of two bytes a character, and the characters that its languages use every day. */
export interface WideCandidate {
  readonly encoding: string;
  readonly usual: (character: string) => boolean;
}

/**
 * The encodings of East Asia, in the order of belief. Their standards put the characters of every day first, in levels of
 * their own, and the same bytes in another one of these encodings are rare characters. Korean comes before Chinese, and
 * that before EUC-JP: the syllables of the first are common characters in the others, but not the other way round.
 */
export function wideCandidates(): readonly WideCandidate[] {
  candidates ??= [
    { encoding: 'shift_jis', usual: isKanaOr(levelOf('shift_jis', { leads: [0x88, 0x97], trails: [0x40, 0xfc] })) },
    { encoding: 'euc-kr', usual: (character) => /[가-힣]/u.test(character) },
    { encoding: 'gb18030', usual: isOf(levelOf('gb18030', { leads: [0xb0, 0xd7], trails: [0xa1, 0xfe] })) },
    { encoding: 'euc-jp', usual: isKanaOr(levelOf('euc-jp', { leads: [0xb0, 0xcf], trails: [0xa1, 0xfe] })) },
    { encoding: 'big5', usual: isOf(levelOf('big5', { leads: [0xa4, 0xc6], trails: [0x40, 0xfe] })) },
  ];
  return candidates;
}

let candidates: readonly WideCandidate[] | undefined;

/** More is likelier, to be compared with what an encoding of one byte a character comes to: a character here is two. */
export function scoreWideText(text: string, usual: (character: string) => boolean): number {
  const foreign = text.match(/[^\p{ASCII}]/gu) ?? [];
  const known = foreign.filter(usual).length;
  // Wide digits, brackets and the like say nothing. The narrow katakana say less than that: any byte could be one.
  const neutral = foreign.filter((character) =>
    /[\u3000-\u3030\u30fb\uff01-\uff60\uffe0-\uffe6]/u.test(character),
  ).length;
  const impossible = text.match(/[\ufffd\u0080-\u009f\ue000-\uf8ff]/gu)?.length ?? 0;
  return 2 * known - (foreign.length - known - neutral) - 8 * impossible;
}

type Range = readonly [first: number, last: number];

/** The characters of one level of a standard, which decoding all of its bytes tells. */
function levelOf(encoding: string, bytes: { readonly leads: Range; readonly trails: Range }): ReadonlySet<string> {
  const decoder = new TextDecoder(encoding);
  const level = new Set<string>();
  for (let lead = bytes.leads[0]; lead <= bytes.leads[1]; lead += 1) {
    for (let trail = bytes.trails[0]; trail <= bytes.trails[1]; trail += 1) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if (/^\p{Script=Han}$/u.test(character)) level.add(character);
    }
  }
  return level;
}

function isOf(level: ReadonlySet<string>): (character: string) => boolean {
  return (character) => level.has(character);
}

function isKanaOr(level: ReadonlySet<string>): (character: string) => boolean {
  return (character) => level.has(character) || /[\u3041-\u30fa\u30fc-\u30ff]/u.test(character);
}
