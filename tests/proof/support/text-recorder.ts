import { randomBytes } from 'node:crypto';
import { type Answer, callsTo } from '../../acceptance/support/call-api.js';
import type { EndedProgram } from '../../acceptance/support/start-program.js';
import { newSecretRegistry, type SecretRegistry } from './secret-registry.js';

/** Records all responses and outputs of a run, and all its secrets. */
export interface TextRecorder {
  readonly secrets: SecretRegistry;
  /** The recorded strings by source. */
  readonly recorded: { readonly source: string; readonly text: string }[];
  /**
   * Sends a request and records its response, without the secrets that this operation returns.
   * @param options.returnedSecrets the fields of the response that contain secrets, each with the name of its secret
   * @throws Error if secrets are expected, but the request is refused or a field is missing
   */
  call(origin: string, methodAndPath: string, options?: CallWithSecrets): Promise<Answer>;
  recordOutput(source: string, ended: EndedProgram): void;
}

export interface CallWithSecrets {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly returnedSecrets?: Record<string, string>;
}

/** Returns a unique password that contains `word`, in the form that a person might choose. */
export const choosePassword = (word: string) => `${word} ${randomBytes(9).toString('base64url')} horse`;
/** Returns random text. */
export const randomWord = () => randomBytes(24).toString('base64url');

export function openTextRecorder(): TextRecorder {
  const secrets = newSecretRegistry();
  const recorded: TextRecorder['recorded'] = [];
  return {
    secrets,
    recorded,
    async call(origin, methodAndPath, options = {}) {
      const answer = await callsTo(origin)(methodAndPath, { headers: options.headers ?? {}, body: options.body });
      const secretFields = Object.entries(options.returnedSecrets ?? {});
      const rest = { ...answer.data };
      for (const [field, name] of secretFields) {
        if (answer.status >= 300) throw new Error(`${methodAndPath}: ${answer.status} ${JSON.stringify(answer.error)}`);
        secrets.add(name, answer.data[field]);
        delete rest[field];
        // The URI for authenticators contains the same secret.
        delete rest.otpauthUri;
      }
      const { status, headers, meta, error } = answer;
      recorded.push({
        source: `answer ${status}`,
        text: JSON.stringify([[...headers], secretFields.length > 0 ? rest : answer.data, meta, error]),
      });
      return answer;
    },
    recordOutput(source, { stdout, stderr }) {
      recorded.push({ source: `${source} stdout`, text: stdout }, { source: `${source} stderr`, text: stderr });
    },
  };
}
