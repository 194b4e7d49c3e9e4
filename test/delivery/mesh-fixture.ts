import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../src/platform/settings/index.ts';
import type { ManualClock } from '../app/manual-clock.ts';
import { startFakeMesh } from '../fake-mesh/start-fake-mesh.ts';
import { liveEnv } from '../process/live-env.ts';
import { exampleReferral } from './example-referral.ts';

const workflows = ['ONWARD_REFERRAL', 'GPCONNECT_SEND_DOCUMENT', 'GPCONNECT_SEND_DOCUMENT_ACK'];

/** A message exchange with the mailboxes of a site, a practice and a service, and a live site's settings. */
export async function meshFixture(clock: ManualClock) {
  const mailbox = { password: 'a mailbox password', workflows };
  const site = { ...mailbox, id: 'X26ABC1', name: 'A referral site', odsCode: 'X26' };
  const practice = { ...mailbox, id: 'Z99002GP', name: 'Mill Lane Surgery', odsCode: 'Z99002' };
  const service = { ...mailbox, id: 'CHOIR01', name: 'A choir', odsCode: 'Z98001' };
  const { nhs_number, birth_date } = exampleReferral().content.patient;
  const birthDate = birth_date.replaceAll('-', '');
  const registered = {
    nhsNumber: nhs_number!,
    birthDate,
    surname: 'ZOLKIEWSKA-LLYR',
    practices: [practice.id],
  };
  const sharedKey = 'an environment’s key';
  const fake = await startFakeMesh({
    mailboxes: [site, practice, service],
    registrations: [registered],
    sharedKey,
    now: clock.now,
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'onward-mesh-'));
  const file = async (name: string, content: string) => {
    const path = join(dataDir, name);
    await writeFile(path, content);
    return path;
  };
  const env = {
    ...liveEnv,
    ONWARD_DATA_DIR: dataDir,
    ONWARD_MESH_URL: fake.url,
    ONWARD_MESH_MAILBOX: site.id,
    ONWARD_MESH_ODS_CODE: site.odsCode,
    ONWARD_MESH_PASSWORD_FILE: await file('password', `${site.password}\n`),
    ONWARD_MESH_SHARED_KEY_FILE: await file('key', sharedKey),
    ONWARD_MESH_WORKFLOW: 'ONWARD_REFERRAL',
  };
  return {
    fake,
    site,
    practice,
    service,
    settings: (given: Record<string, string> = {}) => readSettings({ ...env, ...given }),
    async close(): Promise<void> {
      await fake.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
