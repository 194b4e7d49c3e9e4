import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jwtVerify } from 'jose';

type SentText = { to: string; text: string; reference: string };

const templateId = '5f3b9c1e-8d0a-4c53-9a57-2f1f6f4f0c11';

/**
 * GOV.UK Notify as its own clients meet it: a real server on loopback that checks each token, and takes texts by one template. Its answers
 * are those of https://docs.notifications.service.gov.uk/rest-api.html.
 */
export async function fakeNotify() {
  const [serviceId, secret] = [randomUUID(), randomUUID()];
  const keyFile = join(mkdtempSync(join(tmpdir(), 'notify-')), 'notify.key');
  writeFileSync(keyFile, `a_key-${serviceId}-${secret}\n`);
  const taken: SentText[] = [];
  const notify = {
    /** The texts that it took. */
    taken,
    calls: 0,
    /** What it answers instead of taking a text: a status and its error. */
    fault: undefined as undefined | { status: number; error: string; message: string },
    /** What it answers to everything, as something between us and Notify may. */
    oddAnswer: undefined as undefined | { status: number; body: object },
    /** Takes the text, and hangs up before its answer. */
    losesAnswers: false,
    templateBody: '((message))',
    settings: { smsNotifyKeyFile: keyFile, smsNotifyTemplate: templateId, smsNotifyUrl: '' },
    env: {} as Record<string, string>,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };

  const server = createServer(async (request, response) => {
    notify.calls += 1;
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const refuse = (status: number, error: string, message: string) =>
      answer(status, { status_code: status, errors: [{ error, message }] });
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    try {
      const options = { issuer: serviceId, algorithms: ['HS256'], requiredClaims: ['iat'] };
      await jwtVerify(token, Buffer.from(secret), { ...options, currentDate: new Date(0) });
    } catch {
      return refuse(403, 'AuthError', 'Invalid token: API key not found');
    }
    if (notify.oddAnswer) return answer(notify.oddAnswer.status, notify.oddAnswer.body);
    const url = new URL(request.url!, 'http://notify');
    if (url.pathname === `/v2/template/${templateId}`)
      return answer(200, { id: templateId, type: 'sms', body: notify.templateBody });
    if (notify.fault) return refuse(notify.fault.status, notify.fault.error, notify.fault.message);
    if (request.method === 'GET' && url.pathname === '/v2/notifications') {
      const reference = url.searchParams.get('reference');
      return answer(200, { notifications: taken.filter((each) => each.reference === reference) });
    }
    if (request.method !== 'POST' || url.pathname !== '/v2/notifications/sms')
      return refuse(404, 'NoResultFound', 'No result found');
    const body = JSON.parse((await request.toArray()).join(''));
    if (body.template_id !== templateId) return refuse(400, 'BadRequestError', 'Template not found');
    taken.push({ to: body.phone_number, text: body.personalisation.message, reference: body.reference });
    if (notify.losesAnswers) return void request.socket.destroy();
    answer(201, { id: randomUUID(), reference: body.reference });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  notify.settings.smsNotifyUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  notify.env = {
    ONWARD_SMS_NOTIFY_KEY_FILE: keyFile,
    ONWARD_SMS_NOTIFY_TEMPLATE: templateId,
    ONWARD_SMS_NOTIFY_URL: notify.settings.smsNotifyUrl,
  };
  return notify;
}
