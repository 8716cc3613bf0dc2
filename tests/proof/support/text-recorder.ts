import { randomBytes } from 'node:crypto';
import { type Answer, callsTo } from '../../acceptance/support/call-api.js';
import type { EndedProgram } from '../../acceptance/support/start-program.js';
import { openSecretBook, type SecretBook } from './secret-registry.js';

/** Records all answers and outputs of a run, and all its secrets. */
export interface Witness {
  readonly secrets: SecretBook;
  /** The recorded texts by source. */
  readonly said: { readonly where: string; readonly text: string }[];
  /**
   * Sends a request and records its answer, without the secrets that this operation returns.
   * @param options.hands the fields of the answer with secrets, and their names
   * @throws Error if the answer has no such field
   */
  call(origin: string, methodAndPath: string, options?: CallWithSecrets): Promise<Answer>;
  hearEnd(where: string, ended: EndedProgram): void;
}

export interface CallWithSecrets {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly hands?: Record<string, string>;
}

/** Returns a unique password that a person might choose, with that word in it. */
export const choosePassword = (word: string) => `${word} ${randomBytes(9).toString('base64url')} horse`;
/** Returns random text. */
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
        // The same secret in the URI for authenticators.
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
