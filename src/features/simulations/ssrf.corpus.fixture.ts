/** A host that must not be reached. */
export interface RefusedHost {
  host: string;
  /** What the resolver answers for a name. */
  answers?: string[];
}

const private4 = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.170',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
];

const parts = (address: string) => address.split('.').map(Number);
const number = (address: string) => parts(address).reduce((sum, part) => sum * 256 + part, 0);
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
/** Two hextets, as an address within an IPv6 address is written. */
const hextets = (address: string) => `${hex(Math.floor(number(address) / 65_536), 1)}:${hex(number(address) % 65_536, 1)}`;
const inverted = (address: string) => parts(address).map((part) => 255 - part);
const fullWidth = (text: string) => text.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
const circled = (text: string) => text.replaceAll(/[1-9]/g, (digit) => String.fromCharCode(0x2460 + Number(digit) - 1));

/** Ways to write an IPv4 address in a URL, which the parser turns into the usual one. */
const notations: ReadonlyArray<(address: string) => string> = [
  (address) => address,
  (address) => `${address}.`,
  (address) => String(number(address)),
  (address) => `0x${hex(number(address), 8)}`,
  (address) => `0${number(address).toString(8)}`,
  (address) =>
    parts(address)
      .map((part) => `0x${hex(part, 2)}`)
      .join('.'),
  (address) =>
    parts(address)
      .map((part) => `0${part.toString(8)}`)
      .join('.'),
  (address) =>
    parts(address)
      .map((part) => `0000${part.toString(8)}`)
      .join('.'),
  (address) => `${parts(address)[0]}.${number(address) % 16_777_216}`,
  (address) => `${parts(address)[0]}.${parts(address)[1]}.${number(address) % 65_536}`,
  (address) => `0X${hex(parts(address)[0] ?? 0, 1).toUpperCase()}.${number(address) % 16_777_216}`,
  (address) => fullWidth(address),
  (address) => circled(address).replaceAll('.', '。'),
  (address) => address.replaceAll('.', '%2E'),
  (address) => [...address].map((character) => `%${hex(character.charCodeAt(0), 2)}`).join(''),
];

/** Ways to put an IPv4 address into an IPv6 one. */
const embeddings: ReadonlyArray<(address: string) => string> = [
  (address) => `[::ffff:${address}]`,
  (address) => `[::ffff:${hextets(address)}]`,
  (address) => `[0:0:0:0:0:ffff:${hextets(address)}]`,
  (address) => `[0000:0000:0000:0000:0000:FFFF:${address}]`,
  // Deprecated: IPv4-compatible, and IPv4-translated.
  (address) => `[::${hextets(address)}]`,
  (address) => `[::ffff:0:${hextets(address)}]`,
  // NAT64, well known and local.
  (address) => `[64:ff9b::${hextets(address)}]`,
  (address) => `[64:ff9b:1::${hextets(address)}]`,
  // 6to4.
  (address) => `[2002:${hextets(address)}::1]`,
  // Teredo, in which the client's address is inverted.
  (address) => {
    const [a = 0, b = 0, c = 0, d = 0] = inverted(address);
    return `[2001:0:4136:e378:8000:63bf:${hex(a * 256 + b, 1)}:${hex(c * 256 + d, 1)}]`;
  },
];

const private6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:db8::1',
  '2001:10::1',
  '2001:20::1',
  '2002::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fdff:ffff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
].map((address) => `[${address}]`);

/** Names, with what a resolver may answer. */
const names: RefusedHost[] = [
  { host: 'localhost', answers: ['127.0.0.1'] },
  { host: 'localhost.', answers: ['127.0.0.1'] },
  { host: 'LOCALHOST', answers: ['::1'] },
  // Loopback whatever a resolver says.
  { host: 'LocalHost.', answers: ['8.8.8.8'] },
  { host: 'any.localhost', answers: ['8.8.8.8'] },
  { host: 'any.localhost.', answers: ['8.8.8.8'] },
  { host: 'localhost.localdomain', answers: ['127.0.0.1'] },
  { host: 'loopback.example', answers: ['127.0.0.1'] },
  { host: '127.0.0.1.nip.example', answers: ['127.0.0.1'] },
  { host: 'metadata.google.internal', answers: ['169.254.169.254'] },
  { host: 'v4-and-v6.example', answers: ['93.184.215.1', '::1'] },
  { host: 'v6-only.example', answers: ['fd00::1'] },
  { host: 'mapped.example', answers: ['::ffff:10.0.0.1'] },
  { host: 'mapped-hex.example', answers: ['::ffff:a00:1'] },
  { host: 'nat64.example', answers: ['64:ff9b::a00:1'] },
  { host: 'to4.example', answers: ['2002:a00:1::'] },
  { host: 'zone.example', answers: ['fe80::1%eth0'] },
  { host: 'last.example', answers: ['93.184.215.1', '93.184.215.2', '10.0.0.1'] },
  { host: 'nonsense.example', answers: ['not an address'] },
  { host: 'trailing.example.', answers: ['192.168.0.1'] },
  { host: 'xn--n3h.example', answers: ['10.0.0.1'] },
];

/** Every host once. */
export const refusedHosts: readonly RefusedHost[] = [
  ...new Map(
    [
      ...private4.slice(0, 31).map((host) => ({ host })),
      ...notations.flatMap((write) =>
        ['127.0.0.1', '169.254.169.254', '10.0.0.1', '100.64.0.1', '168.63.129.16'].map((address) => ({ host: write(address) })),
      ),
      { host: '127.1' },
      { host: '127.0.1' },
      { host: '0' },
      { host: '0x0' },
      { host: '00' },
      { host: '0x7f.1' },
      { host: '0177.1' },
      ...embeddings.flatMap((write) =>
        ['127.0.0.1', '169.254.169.254', '192.168.0.1', '100.64.0.1'].map((address) => ({ host: write(address) })),
      ),
      ...private6.map((host) => ({ host })),
      ...names,
    ].map((one): [string, RefusedHost] => [one.host, one]),
  ).values(),
];

/** Targets of redirects: hosts, other schemes, credentials, and texts that are no URLs. */
export function redirectsOf(hosts: readonly string[]): string[] {
  return [
    ...hosts.map((host, index) => `${index % 2 === 0 ? 'http' : 'https'}://${host}/`),
    '//127.0.0.1/',
    'http:///127.0.0.1/',
    'http:127.0.0.1/',
    '\\\\127.0.0.1\\',
    'file:///etc/passwd',
    'ftp://93.184.215.1/',
    'gopher://93.184.215.1:6379/_INFO',
    'data:application/json,{"output":1}',
    'javascript:alert(1)',
    'ws://93.184.215.1/',
    'http://user:password@93.184.215.1/',
    'http://93.184.215.1@127.0.0.1/',
    'http://127.0.0.1#@93.184.215.1/',
    'http://127.0.0.1?@93.184.215.1/',
    'http://127.0.0.1\\@93.184.215.1/',
    'http://[::1',
    'http://',
    'unix:/var/run/docker.sock',
    'https://localhost./',
  ];
}
