import { describe, expect, it } from 'vitest';
import { reasonErrors } from './reason.ts';

describe('a reason', () => {
  it('has two different words and several different letters', () => {
    for (const typed of [
      'aaaa aaaaaa',
      'xx xxxxxxxxxx',
      'because Because',
      'asas sasa asasas',
      'reason',
      'To be',
    ])
      expect(reasonErrors(typed), typed).toMatchObject([{ pointer: '/reason', code: 'too-short' }]);
    for (const typed of ['She asked me', 'Cover for leave', 'Подменяю коллегу на этой неделе'])
      expect(reasonErrors(typed), typed).toEqual([]);
  });
});
