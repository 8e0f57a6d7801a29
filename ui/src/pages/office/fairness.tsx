/** What the dice have shown. */
export function Fairness({ table }: { table: string }) {
  return <p>{table}</p>;
}
