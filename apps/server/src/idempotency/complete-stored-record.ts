type StoredRecord = Readonly<Record<string, unknown>>;

const laterFieldsOfMovement = { externalId: null, voidedAt: null };

/**
 * Adds the fields that an answer lacks because an earlier version stored it, each with null. Pure.
 * @param callName the operation that stored the answer
 * @source additions, section 0.5
 */
export function completeStoredRecord(callName: string, data: unknown): unknown {
  if (callName === 'createMovement' || callName === 'correctMovement') {
    return { ...laterFieldsOfMovement, ...(data as StoredRecord) };
  }
  if (callName === 'createTransfer') {
    const transfer = data as StoredRecord & { readonly movements: readonly StoredRecord[] };
    const movements = transfer.movements.map((leg) => ({ ...laterFieldsOfMovement, ...leg }));
    return { voidedAt: null, ...transfer, movements };
  }
  return data;
}
