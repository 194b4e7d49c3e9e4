import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { connect } from '../../platform/database/index.ts';
import { createLog } from '../../platform/log/index.ts';
import type { PatientRecord } from './collect-record.ts';
import { zipRecord } from './zip-record.ts';

describe('the zip of a record', () => {
  it('ends with an error at an unreadable file; the site goes on', async () => {
    const { db, close } = connect({ host: '127.0.0.1', port: 1 }, createLog('silent'));
    const file = { id: '018c0000-0000-7000-8000-000000000001', name: 'scan.pdf' };
    const referral = { id: '018c0000-0000-7000-8000-000000000002', reference: 'ABC', status: 'completed' };
    const record = {
      exported_at: '2026-11-21T09:30:00.000Z',
      referrals: [
        {
          referral,
          history: [],
          audit: [],
          deliveries: [],
          attachments: [file],
          person_pages: [],
          person_answers: [],
        },
      ],
    } as unknown as PatientRecord;
    const packed = await zipRecord({ db, pages: { render: () => 'in words' } as never }, record);
    await expect(buffer(packed)).rejects.toThrow('ECONNREFUSED');
    await close();
  });
});
