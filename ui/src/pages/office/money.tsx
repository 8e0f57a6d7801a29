/** What the table could pay, and what it holds. */
export function Money({ table }: { table: string }) {
  return <p>{table}</p>;
}
