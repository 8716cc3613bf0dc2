import { isPermissionError } from '@centavo/sdk';

/**
 * Names of a list by their ids, for people. A key that may not read the list sees ids instead, which is better than no
 * answer: none is in the map.
 */
export async function namesOf(
  list: PromiseLike<{ data: readonly { id: string; name: string }[] }>,
): Promise<ReadonlyMap<string, string>> {
  try {
    return new Map((await list).data.map(({ id, name }) => [id, name]));
  } catch (error) {
    if (isPermissionError(error)) return new Map();
    throw error;
  }
}
