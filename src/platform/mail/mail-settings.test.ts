import { describe, expect, it } from 'vitest';
import { senderOf, smtpServerOf } from './mail-settings.ts';

describe('the URL of a mail server', () => {
  it.each([
    ['smtp://mail.internal', { host: 'mail.internal', port: 587, secure: false, auth: null, loopback: false }],
    ['smtps://mail.internal/', { host: 'mail.internal', port: 465, secure: true, auth: null, loopback: false }],
    [
      'smtp://us%40er:p%3Ass@mail.internal:25',
      { host: 'mail.internal', port: 25, secure: false, auth: { user: 'us@er', pass: 'p:ss' }, loopback: false },
    ],
    ['smtp://127.0.0.1:1025', { host: '127.0.0.1', port: 1025, secure: false, auth: null, loopback: true }],
    ['smtp://[::1]:1025', { host: '::1', port: 1025, secure: false, auth: null, loopback: true }],
    ['smtp://localhost', { host: 'localhost', port: 587, secure: false, auth: null, loopback: true }],
    ['smtp://127.example.com', { host: '127.example.com', port: 587, secure: false, auth: null, loopback: false }],
  ])('%s', (text, expected) => expect(smtpServerOf(text)).toEqual(expected));

  it.each([
    '',
    'mail.internal:587',
    'http://mail.internal',
    'smtp://',
    'smtp://mail.internal/path',
    'smtp://mail.internal?pool=1',
    'smtp://u:%zz@mail.internal',
    'smtp://mail.internal#x',
  ])('is not %j', (text) => expect(smtpServerOf(text)).toBeNull());
});

describe('a sender', () => {
  it.each([
    ['a@example.com', { name: '', address: 'a@example.com' }],
    ['Spanwise <a@example.com>', { name: 'Spanwise', address: 'a@example.com' }],
    ['"Spanwise, Alerts" <a@example.com>', { name: 'Spanwise, Alerts', address: 'a@example.com' }],
  ])('%s', (text, expected) => expect(senderOf(text)).toEqual(expected));

  it.each([
    '',
    'a',
    'a@example.com, b@example.com',
    '<a@example.com> b',
    'x\r\nBcc: y <a@example.com>',
    'A <a@example.com>\r\nBcc: <b@example.com>',
  ])('is not %j', (text) => expect(senderOf(text)).toBeNull());
});
