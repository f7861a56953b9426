/** Lists of records with a changed record. The record may be there already: a live change can bring it before the answer. */

/** Puts a record in the place of its earlier state, or at the end. */
export function put<One>(records: readonly One[], record: One, isSame: (one: One) => boolean): One[] {
  return records.some(isSame) ? records.map((one) => (isSame(one) ? record : one)) : [...records, record];
}
