import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const program = join(import.meta.dirname, '../../../test/support/reach-hosts-program.ts');

/** Addresses that this machine has in the namespace. */
const privateAddresses = [
  '10.0.0.1',
  '100.64.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.0.1',
  '192.0.2.1',
  '198.18.0.1',
];
const privateAddresses6 = ['fd00:ec2::254', 'fc00::1', '64:ff9b::a00:1', '2002:a00:1::1', '2001:db8::1'];
const publicAddresses = ['93.184.215.1', '2606:4700::1111'];

const probe = spawnSync('unshare', ['-rn', 'ip', 'address', 'add', '10.0.0.1/32', 'dev', 'lo']);
const allowed = probe.status === 0;

test.skipIf(!allowed)(
  'in a network in which every address answers, only public ones are reached',
  async () => {
    const all = [...privateAddresses, ...privateAddresses6, ...publicAddresses];
    const commands = [
      'ip link set lo up',
      ...all.map((address) => `ip address add ${address}/${address.includes(':') ? '128' : '32'} dev lo`),
    ];
    const hosts = [
      ...privateAddresses,
      '127.0.0.1',
      '127.0.0.2',
      '0.0.0.0',
      ...[...privateAddresses6, '::1', '::', '::ffff:10.0.0.1', '::ffff:127.0.0.1'].map((address) => `[${address}]`),
      'localhost',
      '0',
      '127.1',
      '2130706433',
      '0xa000001',
    ].map((host) => `http://${host}/`);
    const reachable = ['http://93.184.215.1/', 'http://0x5d.0xb8.0xd7.1/', 'http://[2606:4700::1111]/'];
    const inside = `${commands.join(' && ')} && exec "${process.execPath}" "${program}" '${JSON.stringify([...hosts, ...reachable])}'`;
    const { stdout } = await run('unshare', ['-rn', 'sh', '-c', inside]);
    const { results, reached, direct } = JSON.parse(stdout) as {
      results: Array<[string, string]>;
      reached: number;
      direct: string;
    };
    expect(direct).toBe('reached');
    expect(results).toEqual([...hosts.map((url) => [url, 'address']), ...reachable.map((url) => [url, 'reached'])]);
    // Those of the public addresses, and the direct one.
    expect(reached).toBe(reachable.length + 1);
  },
  30_000,
);
