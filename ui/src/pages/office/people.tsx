/** People and their roles; `rest` names one of them. */
export function People({ rest }: { rest: string }) {
  return <p>{rest}</p>;
}
