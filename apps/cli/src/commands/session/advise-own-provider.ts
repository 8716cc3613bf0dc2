import { isNotFoundError } from '@centavo/sdk';

/** What to do where the server has no users of its own, and so not the calls that make and log in one (decision 0016). */
export function adviseOwnProvider(error: unknown): { message: string; remedy: string } | undefined {
  if (!isNotFoundError(error)) return undefined;
  return {
    message: 'This server has no users of its own: they are at its identity provider.',
    remedy: 'Log in there, and give the access token in CENTAVO_TOKEN or to --token-stdin.',
  };
}
