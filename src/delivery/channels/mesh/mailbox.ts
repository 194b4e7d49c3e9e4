import { readFileSync } from 'node:fs';
import type { MutualTls } from '../../../platform/outbound/index.ts';
import { readSecretFile, type Settings } from '../../../platform/settings/index.ts';
import { StartupError } from '../../../platform/startup-error.ts';

/** A mailbox at the message exchange, and all that opens it. */
export type Mailbox = {
  url: string;
  id: string;
  password: string;
  sharedKey: string;
  tls: MutualTls | undefined;
};

/** The site's mailbox, where it has one. @throws StartupError where a file that the settings name cannot be read. */
export function readMailbox(settings: Settings): Mailbox | undefined {
  const { meshUrl: url, meshMailbox: id } = settings;
  if (url === undefined || id === undefined) return undefined;
  return {
    url: url.replace(/\/$/, ''),
    id,
    password: secret('ONWARD_MESH_PASSWORD_FILE', settings.meshPasswordFile!),
    sharedKey: secret('ONWARD_MESH_SHARED_KEY_FILE', settings.meshSharedKeyFile!),
    tls: readTls(settings),
  };
}

function readTls({ meshCertFile, meshKeyFile, meshCaFile }: Settings): MutualTls | undefined {
  const tls = {
    ...(meshCertFile && { cert: pem('ONWARD_MESH_CERT_FILE', meshCertFile) }),
    ...(meshKeyFile && { key: pem('ONWARD_MESH_KEY_FILE', meshKeyFile) }),
    ...(meshCaFile && { ca: pem('ONWARD_MESH_CA_FILE', meshCaFile) }),
  };
  return Object.keys(tls).length > 0 ? tls : undefined;
}

function secret(variable: string, path: string): string {
  const held = readSecretFile(path);
  if (held !== undefined && held.length > 0 && held.length <= 1000) return held;
  throw new StartupError(`${variable} must name a file that holds the secret and can be read.`);
}

function pem(variable: string, path: string): Buffer {
  try {
    const held = readFileSync(path);
    if (held.includes('-----BEGIN ')) return held;
  } catch {
    // Said below.
  }
  throw new StartupError(`${variable} must name a PEM file that can be read.`);
}
