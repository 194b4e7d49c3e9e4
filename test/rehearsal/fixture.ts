import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeKeyFile } from '../../src/platform/secrets/index.ts';
import { quickFolder } from '../database/memory-folder.ts';
import type { Mailbox } from '../fake-mesh/exchange.ts';
import { startFakeMesh } from '../fake-mesh/start-fake-mesh.ts';
import { startMailServer, testCertificate } from '../network/mail-server.ts';
import { webhookReceiver } from '../network/webhook-receiver.ts';
import { liveEnv } from '../process/live-env.ts';
import { freePort, type SiteProcess, startSiteProcess } from '../process/site-process.ts';
import { startTlsFront } from './tls-front.ts';

/** A number that no test range has, as a live site wants it, and whose digits are right. */
export const nhsNumber = '9434765919';
const workflows = ['ONWARD_REFERRAL', 'GPCONNECT_SEND_DOCUMENT', 'GPCONNECT_SEND_DOCUMENT_ACK'];
const mailbox = { password: 'a mailbox password', workflows };
const mailboxes = {
  site: { ...mailbox, id: 'X26ABC1', name: 'Sarrowby referrals', odsCode: 'X26' },
  practice: { ...mailbox, id: 'Z99003GP', name: 'Spindle Hill Surgery', odsCode: 'Z99003' },
  service: { ...mailbox, id: 'WEIR001', name: 'Weir House', odsCode: 'Z98001' },
} satisfies Record<string, Mailbox>;

/**
 * For the dress rehearsal: a live site as a process of its own behind a proxy for https, and the systems that it calls:
 * a mail server and a service's system with TLS, a message exchange that asks for the site's certificate, and a folder
 * of letters.
 */
export async function rehearsalFixture() {
  const usual = getCACertificates('default');
  setDefaultCACertificates([...usual, testCertificate.cert]);
  const folder = await quickFolder('onward-rehearsal-');
  const file = async (name: string, content: string) => {
    const path = join(folder, name);
    await writeFile(path, content, { mode: 0o600 });
    return path;
  };
  const { cert, key } = testCertificate;
  const mutual = { cert, key, ca: cert, requestCert: true, rejectUnauthorized: true };
  const registration = { nhsNumber, birthDate: '19470309', surname: 'OKONKWO', practices: ['Z99003GP'] };
  const sharedKey = 'an environment’s key';
  const port = await freePort();
  const mail = await startMailServer({ secure: true });
  const exchange = await startFakeMesh({
    mailboxes: Object.values(mailboxes),
    registrations: [registration],
    sharedKey,
    tls: mutual,
  });
  const system = await webhookReceiver({ tls: testCertificate, host: 'system.example.org' });
  const front = await startTlsFront(port);
  const certFile = await file('cert.pem', cert);
  const letters = join(folder, 'letters');
  const env: Record<string, string> = {
    ...liveEnv,
    NODE_EXTRA_CA_CERTS: certFile,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'open-internet.ts')}`,
    ONWARD_PORT: String(port),
    ONWARD_BASE_URL: front.url,
    ONWARD_TRUSTED_PROXIES: '127.0.0.1',
    ONWARD_SAMPLE: 'false',
    ONWARD_SITE_KEY_FILE: join(folder, 'site.key'),
    ONWARD_SMTP_URL: `smtps://localhost:${mail.port}`,
    ONWARD_MAIL_FROM: 'Sarrowby referrals <referrals@example.org>',
    ONWARD_DOCUMENT_DIR: letters,
    ONWARD_MESH_URL: exchange.url,
    ONWARD_MESH_MAILBOX: mailboxes.site.id,
    ONWARD_MESH_ODS_CODE: mailboxes.site.odsCode,
    ONWARD_MESH_PASSWORD_FILE: await file('mesh.password', mailbox.password),
    ONWARD_MESH_SHARED_KEY_FILE: await file('mesh.key', sharedKey),
    ONWARD_MESH_CERT_FILE: certFile,
    ONWARD_MESH_KEY_FILE: await file('key.pem', key),
    ONWARD_MESH_CA_FILE: certFile,
    ONWARD_MESH_WORKFLOW: 'ONWARD_REFERRAL',
  };
  await makeKeyFile(join(folder, 'site.key'));
  let site: SiteProcess = await startSiteProcess(env);
  return {
    get site() {
      return site;
    },
    url: front.url,
    folder,
    env,
    file,
    letters,
    mail,
    exchange,
    mailboxes,
    system,
    /** Stops it, and starts it with other settings on the same data. */
    async restartWith(settings: Record<string, string>): Promise<void> {
      await site.stop();
      Object.assign(site.env, settings);
      site = await site.restart();
    },
    /** Kills it, as `end` does, and starts it again on the same data. */
    async killAndRestart(end: (site: SiteProcess) => Promise<void>): Promise<void> {
      await end(site);
      site = await site.restart();
    },
    async close(): Promise<void> {
      await site.remove();
      front.close();
      system.close();
      await Promise.all([mail.close(), exchange.close()]);
      await rm(folder, { recursive: true, force: true });
      setDefaultCACertificates(usual);
    },
  };
}
