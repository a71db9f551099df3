import { Monitor, Moon, Sun } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../design/button.tsx';
import { Menu, MenuItem } from '../design/menu.tsx';
import { chooseTheme, themeChoices, useThemeChoice, useThemeName } from '../design/theme.ts';
import type { ThemeChoice } from '../design/theme.ts';

const choices: Readonly<Record<ThemeChoice, { label: string; icon: LucideIcon }>> = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
};

/** Chooses the light, dark or system theme. */
export function ThemeToggle(): ReactNode {
  const chosen = useThemeChoice();
  const Current = choices[useThemeName()].icon;
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label="Theme">
          <Current aria-hidden />
        </IconButton>
      }
    >
      {themeChoices.map((choice) => {
        const { label, icon: Icon } = choices[choice];
        return (
          <MenuItem key={choice} current={choice === chosen} onSelect={() => chooseTheme(choice)}>
            <Icon aria-hidden />
            {label}
          </MenuItem>
        );
      })}
    </Menu>
  );
}
