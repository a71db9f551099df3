import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readClientConfig } from './client-config.ts';

const absent = {
  url: null,
  token: null,
  apiKey: null,
  project: null,
  colors: true,
  urlOfThisMachine: 'http://127.0.0.1:4318',
  loginFile: join(homedir(), '.config/spanwise/config.json'),
  stepSummary: null,
  startedIn: null,
};

test('an empty variable counts as absent', () => {
  expect(readClientConfig({})).toEqual(absent);
  const names = [
    'SPANWISE_URL',
    'SPANWISE_TOKEN',
    'SPANWISE_API_KEY',
    'SPANWISE_PROJECT',
    'SPANWISE_PUBLIC_URL',
    'NO_COLOR',
    'HOME',
  ];
  expect(readClientConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(absent);
});

test('the variables of commands', () => {
  const given = {
    SPANWISE_URL: 'https://a.example',
    SPANWISE_TOKEN: 'spwu_1',
    SPANWISE_API_KEY: 'spw_1',
    SPANWISE_PROJECT: 'p',
    SPANWISE_PORT: '4400',
    NO_COLOR: '1',
    HOME: '/home/jo',
    GITHUB_STEP_SUMMARY: '/tmp/summary',
  };
  expect(readClientConfig(given)).toEqual({
    url: 'https://a.example',
    token: 'spwu_1',
    apiKey: 'spw_1',
    project: 'p',
    colors: false,
    urlOfThisMachine: 'http://127.0.0.1:4400',
    loginFile: '/home/jo/.config/spanwise/config.json',
    stepSummary: '/tmp/summary',
    startedIn: null,
  });
  const { urlOfThisMachine } = readClientConfig({ ...given, SPANWISE_PUBLIC_URL: 'https://b.example' });
  expect(urlOfThisMachine).toBe('https://b.example');
});

test('the directory of settings is that of XDG_CONFIG_HOME; a relative one is ignored', () => {
  expect(readClientConfig({ HOME: '/home/jo', XDG_CONFIG_HOME: '/x' }).loginFile).toBe('/x/spanwise/config.json');
  expect(readClientConfig({ HOME: '/home/jo', XDG_CONFIG_HOME: 'x' }).loginFile).toBe('/home/jo/.config/spanwise/config.json');
});

test('the folder in which npm was started counts where npm runs the program in that of its package', () => {
  const npm = { npm_config_local_prefix: '/srv/spanwise', INIT_CWD: '/home/jo' };
  expect(readClientConfig(npm, '/srv/spanwise').startedIn).toBe('/home/jo');
  expect(readClientConfig(npm, '/tmp').startedIn).toBeNull();
  expect(readClientConfig({ INIT_CWD: '/home/jo' }, '/tmp').startedIn).toBeNull();
});
