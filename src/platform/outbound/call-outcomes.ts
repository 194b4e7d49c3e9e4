const worthAnotherTry = [408, 425, 429];

/** Whether the failure is likely to be temporary. */
export function isRetryable(status: number): boolean {
  return worthAnotherTry.includes(status) || status >= 500;
}

/** Why a call had no answer, in plain words, by the code of its error. */
export function describeNetworkError(code: string): string {
  return reasons[code] ?? (/CERT|TLS|SSL/.test(code) ? reasons.CERTIFICATE! : 'It could not be reached.');
}

/** Whether the other side refused the certificate that this site showed, by the code of the error (a TLS alert). */
export function refusesOurCertificate(code: string): boolean {
  return /^ERR_SSL_.*ALERT_(BAD_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED|NO_CERTIFICATE)|^ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED/.test(
    code,
  );
}

const reasons: Readonly<Record<string, string>> = {
  ABORT_ERR: 'It did not answer in time.',
  ENOTFOUND: 'The name in its address was not found.',
  EAI_AGAIN: 'The name in its address could not be looked up.',
  ECONNREFUSED: 'Nothing listens at its address.',
  ECONNRESET: 'It broke the connection off.',
  CERTIFICATE: 'Its TLS certificate is not valid.',
};
