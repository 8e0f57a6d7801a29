/** Hold against theory. */
export function Hold({ table }: { table: string }) {
  return <p>{table}</p>;
}
