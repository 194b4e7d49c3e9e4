import type { Role } from '../accounts/index.ts';

/** Roles as a list for reading: “Operator and referrer”. */
export function rolesInWords(roles: readonly Role[]): string {
  const list = new Intl.ListFormat('en-GB').format(roles);
  return list.charAt(0).toUpperCase() + list.slice(1);
}

/** What an account has besides its password; nothing where it has nothing. */
export function secondFactorsInWords(has: {
  hasAuthenticator: boolean;
  passkeys: number;
}): string | undefined {
  const parts = [
    ...(has.hasAuthenticator ? ['authenticator app'] : []),
    ...(has.passkeys > 0 ? [has.passkeys === 1 ? 'a passkey' : `${has.passkeys} passkeys`] : []),
  ];
  const list = new Intl.ListFormat('en-GB').format(parts);
  return parts.length > 0 ? list.charAt(0).toUpperCase() + list.slice(1) : undefined;
}
