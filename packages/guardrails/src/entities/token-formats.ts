/** The format of one kind of secret: one of the prefixes, then a body. */
export interface TokenFormat {
  label: string;
  prefixes: readonly string[];
  /** Characters of the body: ranges such as `a-z`, and single ones. A hyphen comes last. */
  body: string;
  /** Smallest and largest length of the body. */
  length: readonly [number, number];
  /** What the body must match besides. */
  shape?: RegExp;
  /** Fewest different characters of the body. */
  variety?: number;
}

const alphanumeric = 'A-Za-z0-9';
const word = 'A-Za-z0-9_';
const base64Url = 'A-Za-z0-9_-';

/** Published formats of access tokens and keys. A longer prefix comes before one that it begins with. */
export const tokenFormats: readonly TokenFormat[] = [
  { label: 'aws_access_key', prefixes: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], body: 'A-Z0-9', length: [16, 16] },
  { label: 'github_token', prefixes: ['github_pat_'], body: word, length: [60, 255] },
  { label: 'github_token', prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], body: alphanumeric, length: [36, 255] },
  { label: 'github_token', prefixes: ['ghs_'], body: `.${base64Url}`, length: [60, 1_500], shape: /_eyJ/ },
  {
    label: 'gitlab_token',
    prefixes: ['glpat-', 'gldt-', 'glft-', 'glrt-', 'glsoat-', 'glffct-'],
    body: base64Url,
    length: [20, 20],
  },
  { label: 'gitlab_token', prefixes: ['glpat-', 'glrt-', 'gldt-'], body: `.${base64Url}`, length: [37, 60], shape: /\./ },
  { label: 'gitlab_token', prefixes: ['GR1348941'], body: base64Url, length: [20, 20] },
  { label: 'gitlab_token', prefixes: ['glptt-'], body: base64Url, length: [40, 40] },
  { label: 'gitlab_token', prefixes: ['glimt-'], body: base64Url, length: [25, 25] },
  { label: 'gitlab_token', prefixes: ['glagent-'], body: base64Url, length: [50, 50] },
  { label: 'gitlab_token', prefixes: ['gloas-'], body: base64Url, length: [64, 64] },
  { label: 'gitlab_token', prefixes: ['glcbt-'], body: base64Url, length: [20, 40] },
  { label: 'anthropic_key', prefixes: ['sk-ant-api', 'sk-ant-admin'], body: base64Url, length: [40, 200] },
  {
    label: 'openai_key',
    prefixes: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-service-'],
    body: base64Url,
    length: [40, 250],
  },
  { label: 'openai_key', prefixes: ['sk-'], body: base64Url, length: [43, 120], shape: /T3BlbkFJ/ },
  { label: 'openai_key', prefixes: ['sk-'], body: alphanumeric, length: [48, 48] },
  { label: 'google_api_key', prefixes: ['AIza'], body: base64Url, length: [35, 35], variety: 12 },
  {
    label: 'slack_token',
    prefixes: ['xoxb-', 'xoxp-', 'xoxs-', 'xoxo-'],
    body: 'A-Za-z0-9-',
    length: [20, 250],
    shape: /^\d{8,}-/,
  },
  { label: 'slack_token', prefixes: ['xoxa-', 'xoxr-'], body: 'A-Za-z0-9-', length: [20, 250] },
  { label: 'slack_token', prefixes: ['xoxe.xoxp-', 'xoxe.xoxb-', 'xoxe-'], body: 'A-Za-z0-9-', length: [100, 300] },
  { label: 'slack_token', prefixes: ['xapp-'], body: 'A-Za-z0-9-', length: [40, 250] },
  {
    label: 'slack_webhook',
    prefixes: ['hooks.slack.com/services/', 'hooks.slack.com/workflows/', 'hooks.slack.com/triggers/'],
    body: 'A-Za-z0-9+/',
    length: [40, 120],
  },
  { label: 'google_oauth_token', prefixes: ['ya29.'], body: base64Url, length: [20, 2_048] },
  { label: 'google_oauth_token', prefixes: ['GOCSPX-'], body: base64Url, length: [28, 28] },
  { label: 'stripe_key', prefixes: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], body: alphanumeric, length: [16, 250] },
  { label: 'stripe_key', prefixes: ['whsec_'], body: 'A-Za-z0-9+/=', length: [32, 64] },
  { label: 'npm_token', prefixes: ['npm_'], body: alphanumeric, length: [36, 36] },
  { label: 'huggingface_token', prefixes: ['hf_', 'api_org_'], body: alphanumeric, length: [34, 34] },
  { label: 'spanwise_key', prefixes: ['spw_', 'spwu_'], body: base64Url, length: [20, 100] },
  // Beside the labels above: formats with a distinctive prefix of which public test data of secret scanners has samples.
  {
    label: 'pypi_token',
    prefixes: ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw'],
    body: base64Url,
    length: [50, 1_000],
  },
  { label: 'sendgrid_key', prefixes: ['SG.'], body: `.${base64Url}`, length: [60, 70] },
  { label: 'vault_token', prefixes: ['hvs.', 'hvb.', 'hvr.'], body: base64Url, length: [24, 300] },
  { label: 'grafana_token', prefixes: ['glsa_'], body: word, length: [41, 41] },
  { label: 'grafana_token', prefixes: ['glc_'], body: 'A-Za-z0-9+/=', length: [32, 400] },
  { label: 'docker_token', prefixes: ['dckr_pat_', 'dckr_oat_'], body: base64Url, length: [24, 60] },
  { label: 'figma_token', prefixes: ['figd_', 'figdr_'], body: base64Url, length: [38, 80] },
  { label: 'notion_token', prefixes: ['ntn_'], body: alphanumeric, length: [46, 46] },
  { label: 'notion_token', prefixes: ['secret_'], body: alphanumeric, length: [43, 43] },
  { label: 'shopify_token', prefixes: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], body: alphanumeric, length: [32, 64] },
  { label: 'square_token', prefixes: ['sq0atp-', 'sq0csp-'], body: base64Url, length: [22, 60] },
  { label: 'square_token', prefixes: ['EAAA'], body: base64Url, length: [60, 60] },
  { label: 'tailscale_key', prefixes: ['tskey-'], body: 'A-Za-z0-9-', length: [20, 80] },
  { label: 'onepassword_token', prefixes: ['ops_eyJ'], body: 'A-Za-z0-9+/=_-', length: [250, 1_500] },
  { label: 'infracost_key', prefixes: ['ico-'], body: alphanumeric, length: [32, 32] },
];
