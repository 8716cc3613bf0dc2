/** The secrets of a run, by name. */
export interface SecretRegistry {
  /**
   * Adds a secret, and returns its value. `findIn` searches for the whole secret. If the secret is long and random, `findIn` also
   * searches for its parts of 16 characters.
   */
  add(name: string, value: string): string;
  /** Returns the names of the secrets that a text contains: plain, percent-encoded, in hexadecimal or in base64. */
  findIn(text: string): string[];
  readonly size: number;
}

const partLength = 16;

/** Creates an empty registry. */
export function newSecretRegistry(): SecretRegistry {
  const nameByText = new Map<string, string>();
  const values = new Set<string>();
  return {
    add(name, value) {
      values.add(value);
      for (const searched of searchTextsOf(value)) nameByText.set(searched, name);
      return value;
    },
    findIn(text) {
      return [
        ...new Set([...nameByText].filter(([searched]) => text.includes(searched)).map(([, name]) => name)),
      ].sort();
    },
    get size() {
      return values.size;
    },
  };
}

/** Returns the strings that identify a secret. */
function searchTextsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const whole = [value, encodeURIComponent(value), bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')];
  // The first two parts of a token, header and claims, are not secret. The last part, the signature, is secret.
  const random = value.startsWith('eyJ') ? (value.split('.').at(-1) ?? '') : value.replace(/^centavo_live_/, '');
  if (/[^A-Za-z0-9_-]/.test(random) || random.length < 2 * partLength) return whole;
  const parts = Array.from({ length: Math.floor(random.length / partLength) }, (_, index) =>
    random.slice(index * partLength, (index + 1) * partLength),
  );
  return [...whole, ...parts];
}
