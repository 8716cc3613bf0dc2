type StoredRecord = Readonly<Record<string, unknown>>;

const laterFieldsOfMovement = { externalId: null, voidedAt: null };

/**
 * Completes a stored response: fields that an earlier version of the server did not store become null. Pure.
 * @param callName the operation that stored the response
 * @source docs/additions.md, section 0.5
 */
export function completeStoredRecord(callName: string, data: unknown): unknown {
  if (callName === 'createMovement' || callName === 'correctMovement') {
    return withLaterFields(data as StoredRecord, laterFieldsOfMovement);
  }
  if (callName === 'createTransfer') {
    const transfer = data as StoredRecord & { readonly movements: readonly StoredRecord[] };
    const movements = transfer.movements.map((leg) => withLaterFields(leg, laterFieldsOfMovement));
    return { ...withLaterFields(transfer, { voidedAt: null }), movements };
  }
  return data;
}

/**
 * Adds the missing fields to a stored record. Stored fields stay in their order, so that a replay has the field order of the first
 * response.
 */
function withLaterFields(stored: StoredRecord, laterFields: StoredRecord): StoredRecord {
  return { ...stored, ...laterFields, ...stored };
}
