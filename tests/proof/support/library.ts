import { callsTo } from '../../acceptance/support/call-api.js';
import { type Books, openBooks } from './intents.js';
import { settleTenant } from './tenants.js';

/** The books of one tenant, and what their calls are sent with, to whichever server. */
export interface Volume {
  readonly headers: Readonly<Record<string, string>>;
  readonly books: Books;
}

/** Opens the books of so many tenants: in those of one alone, all writes would queue for the same two balances. */
export async function openLibrary(origin: string, volumes: number): Promise<readonly [Volume, ...Volume[]]> {
  const open = async (): Promise<Volume> => {
    const { asUser, asProgram } = await settleTenant(origin);
    const books = await openBooks(callsTo(origin, asUser));
    return { headers: asProgram, books: { ...books, call: callsTo(origin, asProgram) } };
  };
  const library: [Volume, ...Volume[]] = [await open()];
  while (library.length < volumes) library.push(await open());
  return library;
}
