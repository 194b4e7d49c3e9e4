import { describe, expect, it } from 'vitest';
import { isServerGone, isTransientDatabaseError } from './errors.ts';

const withCode = (code: string, more = {}) => Object.assign(new Error('an error'), { code, ...more });

describe('an error of the database', () => {
  it.each([
    ['a refused connection', withCode('ECONNREFUSED')],
    ['a missing socket', withCode('ENOENT', { syscall: 'connect' })],
    ['a server that shuts down', withCode('57P01')],
    ['a broken connection', new Error('Connection terminated unexpectedly')],
    ['a rollback on one', new Error('Client has encountered a connection error and is not queryable')],
  ])('says that the server is gone, and may pass: %s', (_what, error) => {
    expect([isServerGone(error), isTransientDatabaseError(error)]).toEqual([true, true]);
  });

  it.each([
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['a full disk', withCode('53100')],
    ['a deadlock', withCode('40P01')],
  ])('may pass although the server is there: %s', (_what, error) => {
    expect([isServerGone(error), isTransientDatabaseError(error)]).toEqual([false, true]);
  });

  it.each([
    ['a missing file', withCode('ENOENT', { path: '/data/x' })],
    ['words of the driver that somebody quotes', new Error('No: Client has encountered a connection error')],
    ['a broken rule', withCode('23514')],
    ['nothing', undefined],
  ])('is neither: %s', (_what, error) => {
    expect([isServerGone(error), isTransientDatabaseError(error)]).toEqual([false, false]);
  });
});
