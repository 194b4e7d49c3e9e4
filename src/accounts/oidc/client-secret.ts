import { readSecretFile, type Settings } from '../../platform/settings/index.ts';
import { StartupError } from '../../platform/startup-error.ts';

/** The secret that the provider gave this site. @throws StartupError where its file holds none. */
export function readClientSecret({ oidcClientSecretFile }: Settings): string {
  const secret = readSecretFile(oidcClientSecretFile!);
  if (secret !== undefined && secret.length > 0 && secret.length <= 1000) return secret;
  throw new StartupError(
    'ONWARD_OIDC_CLIENT_SECRET_FILE must name a file that holds the client secret and can be read. ' +
      'For example: ONWARD_OIDC_CLIENT_SECRET_FILE=/etc/onward/oidc.secret',
  );
}
