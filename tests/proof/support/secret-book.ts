/** Everything secret of a run, by what it is. */
export interface SecretBook {
  /** Keeps a secret. Words that people choose are looked for whole; what is random, also in parts. */
  keep(name: string, value: string): string;
  /** The names of the secrets that a text holds: as they are, percent-encoded, in hexadecimal or in base64. */
  findIn(text: string): string[];
  readonly size: number;
}

const partLength = 16;

/** Opens an empty book. */
export function openSecretBook(): SecretBook {
  const signs = new Map<string, string>();
  const values = new Set<string>();
  return {
    keep(name, value) {
      values.add(value);
      for (const sign of signsOf(value)) signs.set(sign, name);
      return value;
    },
    findIn(text) {
      return [...new Set([...signs].filter(([sign]) => text.includes(sign)).map(([, name]) => name))].sort();
    },
    get size() {
      return values.size;
    },
  };
}

/** The texts by which a secret is recognised. */
function signsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const whole = [value, encodeURIComponent(value), bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')];
  // The first two parts of a token are said by others too: who signed it, and for whom. Its last is what makes it good.
  const random = value.startsWith('eyJ') ? (value.split('.').at(-1) ?? '') : value.replace(/^centavo_live_/, '');
  if (/[^A-Za-z0-9_-]/.test(random) || random.length < 2 * partLength) return whole;
  const parts = Array.from({ length: Math.floor(random.length / partLength) }, (_, index) =>
    random.slice(index * partLength, (index + 1) * partLength),
  );
  return [...whole, ...parts];
}
