import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import {
  type App,
  badBody,
  noOtherFields,
  noToken,
  problemAnswers,
  type Reply,
  withToken,
} from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import type { ReferralDeps } from '../referrals/index.ts';
import { type PatientRecord, wholeRecord } from './copy/collect-record.ts';
import { presentCopy, readCopyState } from './copy/copy-state.ts';
import { handOutCopy } from './copy/hand-out-copy.ts';
import { packCopy } from './copy/pack-copy.ts';
import { copyRequestSchema, patientRecordSchema, recordCopySchema } from './copy/schemas.ts';
import { sendZip } from './copy/zip-record.ts';

type Deps = ReferralDeps & WebPlatform;

const tags = ['Referrals'];
const refusals = {
  401: noToken,
  403: 'The account is not an operator’s.',
};
const params = Type.Object({
  id: Type.String({ parameter: 'RecordCopyId', maxLength: 100, description: 'The id of a copy.' }),
});
const noCopy = 'There is no such copy.';

export function recordRoutes(app: App, deps: Deps): void {
  app.addSchema(patientRecordSchema);
  app.addSchema(recordCopySchema);
  packRoute(app, deps);
  copyRoutes(app, deps);
}

function packRoute(app: App, deps: Deps): void {
  app.post(
    '/api/patients/export',
    {
      config: { access: withToken('operator'), scope: 'records' },
      schema: {
        operationId: 'exportPatientRecord',
        tags,
        summary: 'Pack everything that is held about a person',
        description:
          'The first step to a copy for the person (subject access request: UK GDPR, article 15). It packs all referrals of one person, drafts and restricted ones too, with history, messages, files, deliveries and who looked. An operator then reviews the copy on the page at `review_at`, and leaves out what is about somebody else or could cause serious harm. Only then does `GET /api/patients/copies/{id}/record` give it. The person is found by NHS number, or by first name, last name and date of birth; with both, referrals that have no NHS number are found too. It is a POST so that no detail of a person is in an address or a log. The copy and its reason are audited, and shown to the organisations that made the referrals. Check first that the request comes from that person.',
        body: copyRequestSchema,
        response: {
          200: {
            description:
              'The site holds nothing about such a person, so there is nothing to review: a record without referrals.',
            content: {
              'application/json': { schema: Type.Ref('PatientRecord') },
              'application/zip': { schema: Type.String({ format: 'binary' }) },
            },
          },
          201: Type.Ref('RecordCopy', { description: 'The copy, which has to be reviewed.' }),
          ...problemAnswers({
            ...refusals,
            ...badBody,
            422: 'Too little to tell people apart, the reason names the person or is too short, or nothing was decided about the opt-out.',
          }),
        },
      },
    },
    async (request, reply) => {
      const { reason, purpose = 'person', opt_out: optOut, format, ...person } = request.body;
      const copyRequest = { person, reason, purpose, optOut, ipAddress: request.ip };
      const copy = await packCopy(deps, requireCaller(request), copyRequest);
      if (!copy) return sendRecord(deps, reply, wholeRecord(deps.settings, deps.clock.now(), []), format);
      const location = `${deps.settings.baseUrl}/api/patients/copies/${copy.id}`;
      return reply
        .code(201)
        .header('location', location)
        .send(presentCopy(deps, copy, { hasChanged: false }));
    },
  );
}

function copyRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/patients/copies/:id',
    {
      config: { access: withToken('operator'), scope: 'records' },
      schema: {
        operationId: 'getRecordCopy',
        tags,
        summary: 'See how far a copy of a record has come',
        description:
          'Whether somebody has reviewed the copy, and who. It says nothing about the person. Call again every few minutes, or when the operators tell you.',
        params,
        response: {
          200: Type.Ref('RecordCopy', { description: 'The copy, without what is in it.' }),
          ...problemAnswers({ ...refusals, 404: noCopy }),
        },
      },
    },
    (request) => readCopyState(deps, request.params.id),
  );

  app.get(
    '/api/patients/copies/:id/record',
    {
      config: { access: withToken('operator'), scope: 'records' },
      schema: {
        operationId: 'getCopiedRecord',
        tags,
        summary: 'Get a reviewed copy of a record',
        description:
          'The record as it was packed, without what the reviewer left out: `left_out` says what that is, as far as the person may be told. That it was handed out is audited.',
        params,
        querystring: Type.Object(
          {
            format: Type.Optional(
              Type.Enum(['json', 'zip'], {
                title: 'CopyFormat',
                description:
                  '`json` when left out. `zip` has the same as record.json, a page to read and print, and the files.',
              }),
            ),
          },
          noOtherFields,
        ),
        response: {
          200: {
            description: 'The record.',
            content: {
              'application/json': { schema: Type.Ref('PatientRecord') },
              'application/zip': { schema: Type.String({ format: 'binary' }) },
            },
          },
          ...problemAnswers({
            ...refusals,
            400: 'A parameter is not known or not of the right form.',
            404: `${noCopy} The record in a copy is deleted after 30 days, and when a referral in it is erased.`,
            409: 'Nobody has reviewed the copy yet.',
          }),
        },
      },
    },
    async (request, reply) => {
      const act = { caller: requireCaller(request), id: request.params.id, ipAddress: request.ip };
      return sendRecord(deps, reply, await handOutCopy(deps, act), request.query.format);
    },
  );
}

async function sendRecord(
  deps: Deps,
  reply: Reply,
  record: PatientRecord,
  format: 'json' | 'zip' = 'json',
): Promise<never> {
  if (format === 'zip') return await sendZip(deps, reply, record);
  return reply.type('application/json').send(record);
}
