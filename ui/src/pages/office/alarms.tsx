/** What the dice and the figures warn of, over all tables. */
export function Alarms({ rest }: { rest: string }) {
  return <p>{rest}</p>;
}
