import { expect, test } from 'vitest';
import { ApiError } from '../../api/client.ts';
import { pathProblems } from './path-problems.ts';

const files = ['a.yaml', 'b\\c.yaml'].map((path) => ({ path, content: '' }));
const refused = (path: string, code = 'invalid_request') =>
  pathProblems(new ApiError(400, code, 'No.', [{ path, message: 'must not have backslashes' }]), files);

test('a refused path is named instead of its place in the request', () => {
  expect(refused('/files/1/path')).toEqual(['The path b\\c.yaml must not have backslashes.']);
});

test('other errors are left to the page', () => {
  expect(refused('/files/2/path')).toBeNull();
  expect(refused('/files/1/content')).toBeNull();
  expect(refused('/files/1/path', 'payload_too_large')).toBeNull();
  expect(pathProblems(new Error('x'), files)).toBeNull();
});
