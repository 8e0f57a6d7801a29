/** The latest messages to a webhook with the receiver's responses, requested when they are opened. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { components } from "../../api/schema";
import { useRequest } from "../../api/use-request";
import { RequestResult } from "../../components/request-result";
import { Timestamp } from "../../components/timestamps";
import { webhooksWords } from "../../i18n/words/webhooks";
import { tableLabel } from "../../live/names";

type Delivery = components["schemas"]["DeliveryInfo"];

const HOUSE = "house";

/** `changes` differs whenever there is a new message or attempt. */
export function Deliveries({ id, changes }: { id: string; changes: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{webhooksWords().deliveries.title}</summary>
      {open && <List id={id} changes={changes} />}
    </details>
  );
}

function List({ id, changes }: { id: string; changes: string }) {
  const t = webhooksWords().deliveries;
  const ask = () =>
    unwrap(api.GET("/api/v1/webhooks/{webhook_id}/deliveries", { params: { path: { webhook_id: id } } }));
  const request = useRequest(ask, [id, changes]);
  return (
    <RequestResult request={request}>
      {({ deliveries }) =>
        deliveries.length === 0 ? (
          <p class="soft">{t.none}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          <div class="figures figures-scroll" tabIndex={0} role="region" aria-label={t.title}>
            <table class="inventory stacks">
              <thead>
                <tr>
                  <th scope="col">{t.at}</th>
                  <th scope="col">{t.what}</th>
                  <th scope="col">{t.answer}</th>
                </tr>
              </thead>
              <tbody>
                {deliveries.map(one => (
                  <Row key={one.id} delivery={one} />
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </RequestResult>
  );
}

function Row({ delivery }: { delivery: Delivery }) {
  const t = webhooksWords();
  const { status, reason } = delivery;
  const record = delivery.table === HOUSE ? t.deliveries.house : tableLabel(delivery.table);
  return (
    <tr>
      <th scope="row">
        <Timestamp at={delivery.at} />
      </th>
      <td data-name={t.deliveries.what}>
        {t.topics[delivery.topic] ?? delivery.topic} <small class="soft">{`${record} · ${delivery.sequence}`}</small>
      </td>
      <td class={reason === null ? "webhook-accepted" : "webhook-why"} data-name={t.deliveries.answer}>
        {status ?? t.deliveries.noAnswer}
        {reason !== null && <small> {t.reasons[reason] ?? delivery.error}</small>}
        {delivery.tries > 1 && <small class="soft"> {t.facts.tried(delivery.tries)}</small>}
      </td>
    </tr>
  );
}
