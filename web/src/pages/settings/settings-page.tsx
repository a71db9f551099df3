import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Empty } from '../../design/states.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages, settingsSections } from '../../paths.ts';
import type { SettingsSection } from '../../paths.ts';
import { AuditSection } from './audit-section.tsx';
import { ClientsSection } from './clients-section.tsx';
import { ConnectionsSection } from './connections-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { MembersSection } from './members-section.tsx';
import { OrganizationSection } from './organization-section.tsx';
import { PricesSection } from './prices-section.tsx';
import { PoliciesSection } from './policies-section.tsx';
import { TokensSection } from './tokens-section.tsx';

const titles: Readonly<Record<SettingsSection, string>> = {
  keys: 'API keys',
  clients: 'Clients',
  members: 'Members',
  tokens: 'Personal tokens',
  connections: 'Model connections',
  prices: 'Prices',
  organization: 'Organization and plan',
  policies: 'Organization policies',
  audit: 'Audit log',
};
const contents: Readonly<Record<SettingsSection, () => ReactNode>> = {
  keys: () => <KeysSection />,
  clients: () => <ClientsSection />,
  members: () => <MembersSection />,
  tokens: () => <TokensSection />,
  connections: () => <ConnectionsSection />,
  prices: () => <PricesSection />,
  organization: () => <OrganizationSection />,
  policies: () => <PoliciesSection />,
  audit: () => <AuditSection />,
};

/** The settings page with its sections. */
export default function SettingsPage(): ReactNode {
  const { at } = useProject();
  const { section } = useParams({ from: '/o/$org/p/$project/settings/$section' });
  const known = settingsSections.find((one) => one === section);
  return (
    <Page title="Settings">
      <div className="flex flex-col gap-4 lg:flex-row">
        <nav aria-label="Settings sections" className="flex shrink-0 flex-wrap gap-0.5 lg:w-48 lg:flex-col">
          {settingsSections.map((one) => (
            <Link
              key={one}
              {...pages.settings(at, one)}
              className="flex h-8 items-center rounded-md px-2 font-medium text-ink-soft hover:bg-hover data-[status=active]:bg-accent-soft data-[status=active]:text-accent"
            >
              {titles[one]}
            </Link>
          ))}
        </nav>
        <div className="flex max-w-4xl min-w-0 flex-1 flex-col gap-3">
          {known ? contents[known]() : <Empty title="Page not found" />}
        </div>
      </div>
    </Page>
  );
}
