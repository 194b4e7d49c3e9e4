import { createTrustedFetch, describeNetworkError, isRetryable, OutboundError } from '../outbound/index.ts';
import { readSecretFile, type Settings } from '../settings/index.ts';

/**
 * sent: Notify took it; refused: it takes this text never; later: another attempt may succeed. `reason` is for the operator and has no
 * number and no word of the text.
 */
type TextResult = { readonly outcome: 'sent' | 'refused' | 'later'; readonly reason: string };

type NotifySettings = Pick<Settings, 'mode' | 'smsNotifyKeyFile' | 'smsNotifyTemplate' | 'smsNotifyUrl'>;

export const noTextsReason = 'This site sends no text messages: ONWARD_SMS_NOTIFY_KEY_FILE is not set.';

/** Whether people may be offered a text. A test site shows it in the outbox. */
export function sendsTexts({ mode, smsNotifyKeyFile }: Pick<Settings, 'mode' | 'smsNotifyKeyFile'>): boolean {
  return mode === 'test' || smsNotifyKeyFile !== undefined;
}

/** Has Notify send one text. Never throws for what Notify or the network does. */
export async function sendByNotify(
  settings: NotifySettings,
  { to, text }: { to: string; text: string },
  { id, at, isRepeated }: { id: string; at: Date; isRepeated: boolean },
): Promise<TextResult> {
  const key = readKey(settings);
  if (!key) return { outcome: 'refused', reason: unreadableKey };
  const call = caller(settings, key, at);
  // The attempt before may have reached Notify without its answer reaching us: a second text would cost and confuse.
  if (isRepeated) {
    const earlier = await call(`/v2/notifications?reference=${id}`);
    if (earlier.status !== 200) return failureOf(earlier);
    const { notifications } = earlier.body;
    // An answer that does not say whether it arrived does not say that it did not.
    if (!Array.isArray(notifications)) return { outcome: 'later', reason: unclearAnswer };
    if (notifications.length > 0) return { outcome: 'sent', reason: '' };
  }
  const answer = await call('/v2/notifications/sms', {
    phone_number: to,
    template_id: settings.smsNotifyTemplate,
    personalisation: { message: text },
    reference: id,
  });
  return answer.status === 201 ? { outcome: 'sent', reason: '' } : failureOf(answer);
}

/** What keeps Notify from sending a text of this site; undefined if nothing does. It sends none. */
export async function findNotifyFault(settings: NotifySettings, at: Date): Promise<string | undefined> {
  const key = readKey(settings);
  if (!key) return unreadableKey;
  const answer = await caller(settings, key, at)(`/v2/template/${settings.smsNotifyTemplate}`);
  if (answer.status === 404) return wrongTemplate(404);
  if (answer.status !== 200) return failureOf(answer).reason;
  const { type, body } = answer.body;
  return type === 'sms' && typeof body === 'string' && /\(\(\s*message\s*\)\)/i.test(body)
    ? undefined
    : wrongTemplate(200);
}

type Key = { serviceId: string; secret: string };

/** A key is its name, the id of the service and the secret, with hyphens between them. It is read each time, so that a new one needs no restart. */
function readKey({ smsNotifyKeyFile: file }: NotifySettings): Key | undefined {
  const uuid = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
  const parts = new RegExp(`-(${uuid})-(${uuid})$`, 'i').exec((file && readSecretFile(file)) ?? '');
  return parts ? { serviceId: parts[1]!, secret: parts[2]! } : undefined;
}

/** What Notify answered, as far as we read it. `status` 0: no answer came, and `code` says why. */
type NotifyAnswer = {
  status: number;
  code?: string;
  body: {
    notifications?: unknown;
    type?: unknown;
    body?: unknown;
    errors?: unknown;
  };
};

function caller(settings: NotifySettings, { serviceId, secret }: Key, at: Date) {
  const notify = createTrustedFetch(settings, []);
  return async (path: string, body?: object): Promise<NotifyAnswer> => {
    // Loaded when the first text goes out, so that the start does not wait for it.
    const { SignJWT } = await import('jose');
    const token = await new SignJWT()
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(serviceId)
      .setIssuedAt(at)
      .sign(Buffer.from(secret));
    const address = `${settings.smsNotifyUrl.replace(/\/$/, '')}${path}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    try {
      const answer = await notify(address, {
        method: body ? 'POST' : 'GET',
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await readBody(answer) };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { status: 0, code: error.code, body: {} };
    }
  };
}

/** An answer that is no JSON object says nothing: it came from something between us and Notify. */
async function readBody(answer: Response): Promise<NotifyAnswer['body']> {
  try {
    const body: unknown = await answer.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

function failureOf({ status, code = '', body }: NotifyAnswer): TextResult {
  if (status === 0)
    return { outcome: 'later', reason: `GOV.UK Notify could not be used. ${describeNetworkError(code)}` };
  if (isRetryable(status))
    return { outcome: 'later', reason: `GOV.UK Notify asked to try again later (${status}).` };
  return { outcome: 'refused', reason: refusalOf(status, body) };
}

/** In our own words: those of Notify might repeat what we sent. */
function refusalOf(status: number, { errors }: NotifyAnswer['body']): string {
  const messages = Array.isArray(errors) ? errors.map((each) => String(each?.message ?? '')).join(' ') : '';
  if (status === 401 || status === 403)
    return `GOV.UK Notify did not accept the key in ONWARD_SMS_NOTIFY_KEY_FILE (${status}). The clock of this machine may also be wrong.`;
  if (/trial|team/i.test(messages))
    return `GOV.UK Notify sends only to its own team: the service there is in trial mode, or the key is for the team alone (${status}).`;
  if (/template|personalisation/i.test(messages)) return wrongTemplate(status);
  if (/phone|number|recipient/i.test(messages))
    return `GOV.UK Notify cannot send to this number (${status}).`;
  return `GOV.UK Notify refused it (${status}).`;
}

const unclearAnswer = 'The answer of GOV.UK Notify did not say whether an earlier attempt arrived.';

const unreadableKey =
  'The file that ONWARD_SMS_NOTIFY_KEY_FILE names cannot be read, or has no key of GOV.UK Notify.';

const wrongTemplate = (status: number) =>
  `GOV.UK Notify has no text message template with the id in ONWARD_SMS_NOTIFY_TEMPLATE, or ((message)) is missing in it (${status}).`;
