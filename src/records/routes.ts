import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, problemAnswers, withToken } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import type { ReferralDeps } from '../referrals/index.ts';
import { exportRecord } from './copy/export-record.ts';
import { sendPacked } from './copy/pack-record.ts';
import { exportRequestSchema, patientRecordSchema } from './copy/schemas.ts';

export function recordRoutes(app: App, deps: ReferralDeps & WebPlatform): void {
  app.addSchema(patientRecordSchema);
  app.post(
    '/api/patients/export',
    {
      config: { access: withToken('operator'), scope: 'records' },
      schema: {
        operationId: 'exportPatientRecord',
        tags: ['Referrals'],
        summary: 'Give a person everything that is held about them',
        description:
          'For a subject access request (UK GDPR, article 15): all referrals of one person, drafts and restricted ones too, with history, messages, files, deliveries and who looked. By NHS number, or by first name, last name and date of birth; with both, also referrals that have no NHS number. It is a POST so that no detail of a person stands in an address or a log. That it was done and why is audited, and shown to the organisations that made the referrals. Check first that whoever asks is that person.',
        body: exportRequestSchema,
        response: {
          200: {
            description: 'The record; empty where the site holds nothing about such a person.',
            content: {
              'application/json': { schema: Type.Ref('PatientRecord') },
              'application/zip': { schema: Type.String({ format: 'binary' }) },
            },
          },
          ...problemAnswers({
            400: 'The body does not have the right form.',
            401: 'No token was sent, or it is not valid.',
            403: 'The account is not an operator’s.',
            413: 'The body is larger than a megabyte.',
            415: 'The body is not sent as application/json.',
            422: 'Too little to tell people apart, or the reason names the person or is too short.',
          }),
        },
      },
    },
    async (request, reply) => {
      const { reason, format = 'json', ...person } = request.body;
      const record = await exportRecord(deps, requireCaller(request), {
        person,
        reason,
        address: request.ip,
      });
      if (format === 'json') return reply.type('application/json').send(record) as never;
      return (await sendPacked(deps, reply, record)) as never;
    },
  );
}
