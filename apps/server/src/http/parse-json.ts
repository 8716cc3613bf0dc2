import type { Issue } from '@centavo/contracts';

/** A parsed body, or the one issue that says why it is none. */
export type ParsedJson =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly issue: Issue };

const depthMax = 16;

/**
 * Parses a request body: UTF-8, one JSON object, no key twice, no `__proto__`, at most 16 levels.
 * Two keys of one name would let two readers of one body see two amounts. Source: contract, section 1.
 */
export function parseJson(body: Buffer): ParsedJson {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return malformed('The body is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformed('The body is not valid JSON.');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return malformed('Send one JSON object as the body.');
  }
  const fault = findStructuralFault(text);
  if (fault !== undefined) return malformed(fault);
  return { ok: true, value: value as Record<string, unknown> };
}

function malformed(message: string): ParsedJson {
  return { ok: false, issue: { path: '', code: 'MALFORMED_JSON', message } };
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

/** Walks text that JSON.parse has accepted, so brackets are known to match and keys to stand before colons. */
function findStructuralFault(text: string): string | undefined {
  const levels: (Set<string> | null)[] = [];
  let lastString = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token.startsWith('"')) {
      lastString = token;
    } else if (token === '{' || token === '[') {
      levels.push(token === '{' ? new Set() : null);
      if (levels.length > depthMax) return `The body is nested deeper than ${depthMax} levels.`;
    } else if (token === '}' || token === ']') {
      levels.pop();
    } else if (token === ':') {
      const key = JSON.parse(lastString) as string;
      if (key === '__proto__') return 'The key "__proto__" is not allowed.';
      const keys = levels.at(-1);
      if (keys?.has(key)) return 'A key stands twice in one object of the body.';
      keys?.add(key);
    }
  }
  return undefined;
}
