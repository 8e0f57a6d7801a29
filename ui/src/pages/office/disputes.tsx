/** Disputes about rounds. */
export function Disputes({ table }: { table: string }) {
  return <p>{table}</p>;
}
