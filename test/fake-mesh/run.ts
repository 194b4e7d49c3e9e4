import { startFakeMesh } from './start-fake-mesh.ts';

/** `npm run fake-mesh`: an exchange that another implementation can be held against. PORT chooses where it listens. */
const workflows = ['ONWARD_REFERRAL', 'GPCONNECT_SEND_DOCUMENT', 'GPCONNECT_SEND_DOCUMENT_ACK'];
const mailbox = { password: 'password', workflows };
const mailboxes = [
  { ...mailbox, id: 'X26ABC1', name: 'A community referral site', odsCode: 'X26' },
  { ...mailbox, id: 'A81001GP', name: 'The Densham Surgery', odsCode: 'A81001' },
];
const registrations = [
  { nhsNumber: '9990000018', birthDate: '19470309', surname: 'SMITH', practices: ['A81001GP'] },
];
const sharedKey = 'TestKey';
const port = Number(process.env.PORT ?? 0);
const { url, close } = await startFakeMesh({ mailboxes, registrations, sharedKey, port });

const people = registrations.map((each) => `${each.nhsNumber} ${each.birthDate} ${each.surname}`);
console.log(`A fake message exchange for tests. Nothing leaves it.
address      ${url}
mailboxes    ${mailboxes.map(({ id, odsCode }) => `${id} (${odsCode})`).join(', ')}
password     ${mailbox.password}
shared key   ${sharedKey}
workflows    ${workflows.join(', ')}
registered   ${people.join(', ')} with A81001GP
control      GET ${url}/fake/messages, POST /fake/misbehaviours, POST /fake/reports`);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void close());
