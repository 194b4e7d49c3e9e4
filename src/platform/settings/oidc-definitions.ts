import { define } from './definition.ts';
import { path, secureAddress, text } from './parsers.ts';

/** An outside provider that people may sign in with. */
export const oidcDefinitions = {
  oidcIssuer: define<string | undefined>({
    variable: 'ONWARD_OIDC_ISSUER',
    parse: secureAddress('an OpenID Connect provider'),
    defaultValue: undefined,
    defaultInWords: 'unset: people sign in with Onward’s own accounts only',
    meaning:
      'An OpenID Connect provider that people may sign in with (NHS CIS2, Microsoft Entra, any other).',
    example: 'https://login.example.org/tenant/v2.0',
  }),
  oidcClientId: define<string | undefined>({
    variable: 'ONWARD_OIDC_CLIENT_ID',
    parse: text(1, 300),
    defaultValue: undefined,
    defaultInWords: 'unset (needed with `ONWARD_OIDC_ISSUER`)',
    meaning:
      'The client id that the provider gave this site. Its redirect address is `<base url>/signin/oidc/callback`.',
    example: 'onward-herefordshire',
  }),
  oidcClientSecretFile: define<string | undefined>({
    variable: 'ONWARD_OIDC_CLIENT_SECRET_FILE',
    parse: path,
    defaultValue: undefined,
    defaultInWords: 'unset (needed with `ONWARD_OIDC_ISSUER`)',
    meaning: 'A file that holds the client secret that the provider gave this site.',
    example: '/etc/onward/oidc.secret',
    isSecret: true,
  }),
  oidcName: define<string>({
    variable: 'ONWARD_OIDC_NAME',
    parse: text(1, 60),
    defaultValue: 'your organisation’s sign-in',
    meaning: 'What the provider is called on the sign-in page: “Sign in with <name>”.',
    example: 'NHS CIS2',
  }),
};
