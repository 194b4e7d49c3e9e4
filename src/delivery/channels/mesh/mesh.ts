import type { Platform } from '../../../platform/platform.ts';
import { CannotDeliver, type Channel, fileContent, type SendResult } from '../channel.ts';
import { collectMailbox } from './collect-mailbox.ts';
import type { Exchange, TrackedMessage } from './exchange.ts';
import { classify, UndeliverableMessage } from './failures.ts';
import { odsAddressPrefix, renderForExchange } from './render.ts';
import { exchangeSystem, openExchange } from './site-mailbox.ts';

/** The NHS message exchange (MESH). docs/mesh.md says what it takes to use it. */
export function createMesh(deps: Platform): Channel {
  const client = () => openExchange(deps);
  return {
    name: 'mesh',
    idempotent: false,
    receiverCanConfirm: true,
    // By a local workflow, nothing more is heard after the receiver has collected the message.
    confirmsAfterReceipt: (leg) =>
      leg === 'gp_practice' && deps.settings.meshPracticeProfile === 'gpconnect-send-document',
    connection: 'message-exchange',
    systemToCall: async () => exchangeSystem,
    render: (db, message) => renderForExchange(db, deps.settings, message),
    async send(message, { address, headers, files: [document] }) {
      const exchange = client();
      const to = address.startsWith(odsAddressPrefix)
        ? await findMailbox(exchange, address.slice(odsAddressPrefix.length), headers['mex-workflowid']!)
        : address;
      const id = await exchange.send({ ...headers, 'mex-to': to }, await fileContent(message, document!));
      return acceptedResult(id);
    },
    classify,
    async track(message) {
      const tracked = await client().track(message);
      return tracked && toSendResult(tracked);
    },
    async poll(handleReport) {
      if (deps.settings.meshUrl === undefined) return false;
      await collectMailbox(deps, client(), handleReport);
      return true;
    },
  };
}

async function findMailbox(exchange: Exchange, odsCode: string, workflow: string): Promise<string> {
  const [mailbox, ...others] = await exchange.findMailboxes(odsCode, workflow);
  if (mailbox === undefined)
    throw new CannotDeliver(
      `The NHS message exchange knows no mailbox of ${odsCode} for the workflow ${workflow}.`,
    );
  if (others.length > 0)
    throw new CannotDeliver(
      `${odsCode} has several mailboxes for the workflow ${workflow}: one must be chosen.`,
    );
  return mailbox;
}

function acceptedResult(id: string): SendResult {
  return { status: 'sent', detail: 'The NHS message exchange has it.', externalId: id };
}

/** The status of a message now. One that was not uploaded completely is never delivered. */
function toSendResult({ id, status, code }: TrackedMessage): SendResult | undefined {
  if (status === 'uploading') return undefined;
  if (status === 'error' || status === 'undeliverable') throw new UndeliverableMessage(code);
  if (status !== 'acknowledged') return acceptedResult(id);
  return { status: 'received', detail: 'The receiver’s system collected it.', externalId: id };
}
