import { randomBytes } from 'node:crypto';
import { type Answer, callsTo } from '../../acceptance/support/call-api.js';
import type { EndedProgram } from '../../acceptance/support/start-program.js';
import { openSecretBook, type SecretBook } from './secret-book.js';

/** Hears all that is said in a run, and knows every secret that was used in it. */
export interface Witness {
  readonly secrets: SecretBook;
  /** All that was said by anybody, by who said it. */
  readonly said: { readonly where: string; readonly text: string }[];
  /**
   * Makes a call and keeps what was said, all but what this call is there to hand out.
   * @param options.hands fields of the answer that are secrets, and what each is
   * @throws Error when it hands nothing out
   */
  call(origin: string, methodAndPath: string, options?: CallWithSecrets): Promise<Answer>;
  hearEnd(where: string, ended: EndedProgram): void;
}

export interface CallWithSecrets {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly hands?: Record<string, string>;
}

/** A password that a person might choose, with that word in it, and that nobody else has. */
export const choosePassword = (word: string) => `${word} ${randomBytes(9).toString('base64url')} horse`;
/** Text without a meaning. */
export const randomWord = () => randomBytes(24).toString('base64url');

export function openWitness(): Witness {
  const secrets = openSecretBook();
  const said: Witness['said'] = [];
  return {
    secrets,
    said,
    async call(origin, methodAndPath, options = {}) {
      const answer = await callsTo(origin)(methodAndPath, { headers: options.headers ?? {}, body: options.body });
      const handedOut = Object.entries(options.hands ?? {});
      const rest = { ...answer.data };
      for (const [field, name] of handedOut) {
        if (answer.status >= 300) throw new Error(`${methodAndPath}: ${answer.status} ${JSON.stringify(answer.error)}`);
        secrets.keep(name, answer.data[field]);
        delete rest[field];
        // The same seed once more, in the address that an authenticator reads.
        delete rest.otpauthUri;
      }
      const { status, headers, meta, error } = answer;
      said.push({
        where: `answer ${status}`,
        text: JSON.stringify([[...headers], handedOut.length > 0 ? rest : answer.data, meta, error]),
      });
      return answer;
    },
    hearEnd(where, { stdout, stderr }) {
      said.push({ where: `${where} stdout`, text: stdout }, { where: `${where} stderr`, text: stderr });
    },
  };
}
