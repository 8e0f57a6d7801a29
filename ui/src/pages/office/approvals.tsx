/** Acts that wait for a second person. */
export function Approvals({ rest }: { rest: string }) {
  return <p>{rest}</p>;
}
