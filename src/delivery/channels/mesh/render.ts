import { extname } from 'node:path';
import type { Db } from '../../../platform/database/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Settings } from '../../../platform/settings/index.ts';
import { type Message, NoWay, type Rendered, type RenderedFile } from '../channel.ts';
import { findReceiverAddress } from '../find-receiver-address.ts';
import { letterName } from '../letter-file.ts';
import { buildBundle } from './gp-connect/build-bundle.ts';
import { toFhirXml } from './gp-connect/fhir-xml.ts';
import { routingAddress } from './gp-connect/routing-address.ts';
import { buildLocalDocument } from './local-workflow.ts';

/** Before the code of an organisation whose mailbox the exchange is asked for when the message goes. */
export const byOdsCode = 'ods:';

type Deps = Pick<Platform, 'db' | 'settings'>;
type Sender = { mailbox: string; odsCode: string; workflow: string | undefined };

/** GP practices get documents that their systems understand, everybody else what was agreed on. @throws NoWay */
export async function renderForExchange({ db, settings }: Deps, message: Message): Promise<Rendered> {
  const sender = senderOf(settings);
  const toPractice = message.leg === 'gp_practice';
  return toPractice && settings.meshPracticeProfile === 'gpconnect-send-document'
    ? asSendDocument(settings, sender, message)
    : asLocalWorkflow({ db, settings }, sender, message);
}

/** A test site need not be set up to show what would go. */
function senderOf({ mode, meshMailbox, meshOdsCode, meshWorkflow }: Settings): Sender {
  if (mode === 'test')
    return {
      mailbox: meshMailbox ?? 'X26TEST',
      odsCode: meshOdsCode ?? 'X26',
      workflow: meshWorkflow ?? 'ONWARD_TEST',
    };
  if (meshMailbox === undefined || meshOdsCode === undefined)
    throw new NoWay('This site has no mailbox at the NHS message exchange.');
  return { mailbox: meshMailbox, odsCode: meshOdsCode, workflow: meshWorkflow };
}

async function asSendDocument(
  { baseUrl }: Settings,
  { mailbox, odsCode }: Sender,
  message: Message,
): Promise<Rendered> {
  const address = routingAddress(message.referral.content.patient);
  const letter = { ...letterName, content: await message.letter() };
  const bundle = buildBundle(message, { mailbox, odsCode, siteUrl: baseUrl }, letter.content);
  const document = {
    name: 'message.xml',
    type: 'application/fhir+xml',
    content: Buffer.from(toFhirXml(bundle)),
  };
  return rendered(message, { address, workflow: 'GPCONNECT_SEND_DOCUMENT', document, letter });
}

async function asLocalWorkflow(
  { db, settings: { baseUrl } }: Deps,
  { workflow }: Sender,
  message: Message,
): Promise<Rendered> {
  if (workflow === undefined)
    throw new NoWay(
      'No workflow of the NHS message exchange is set for letters to services (ONWARD_MESH_WORKFLOW).',
    );
  const address = await addressOf(db, message);
  const letter = { ...letterName, content: await message.letter() };
  const content = Buffer.from(buildLocalDocument(message, baseUrl, letter.content));
  const document = { name: 'message.json', type: 'application/json', content };
  return rendered(message, { address, workflow, document, letter });
}

type Parts = { address: string; workflow: string; document: RenderedFile; letter: RenderedFile };

/**
 * The document is all that goes. The letter is in it, and beside it only for people who look at what a test site would
 * have sent. Everything on the outside is kept in logs on its way, so it names nobody.
 */
function rendered({ id }: Message, { address, workflow, document, letter }: Parts): Rendered {
  const headers = {
    'mex-workflowid': workflow,
    'mex-localid': id,
    'mex-filename': `${id}${extname(document.name)}`,
    'mex-messagetype': 'DATA',
    'mex-version': '1.0',
    'content-type': document.type,
  };
  return { address, headers, body: '', files: [document, letter] };
}

/** The mailbox that is set for the receiver. The exchange itself knows those of organisations with an ODS code. */
async function addressOf(db: Db, message: Message): Promise<string> {
  const found = await findReceiverAddress(db, message, 'mesh');
  if (found) return found.address;
  const { leg, recipient } = message;
  if (leg === 'gp_practice' && recipient.code !== null) return `${byOdsCode}${recipient.code}`;
  throw new NoWay(`No mailbox of ${recipient.name} at the NHS message exchange is set.`);
}
