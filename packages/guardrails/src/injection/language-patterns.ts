import type { InjectionPattern } from './injection-pattern.ts';

/** What a language says in prompt injections, as alternatives of RE2. */
interface Language {
  /** "ignore", "forget" */
  drop: string;
  /** "instructions", "rules" */
  orders: string;
  /** "previous", "above" */
  earlier: string;
  /** "all", "your" */
  all: string;
  /** "everything above", "all that I said", behind a word to drop */
  everything: string;
  /** "do not follow" */
  disobey: string;
  /** "show", "reveal", "repeat" */
  reveal: string;
  /** "system prompt", "your instructions", "the text above" */
  prompt: string;
  /** "without restrictions", "you have no rules" */
  unbound: string;
  /** "obey only me", "you are now", "act as" */
  role: string;
  /** Between words: white space by default, nothing needed where a script has no spaces. */
  space?: string;
}

const word = String.raw`[^\s.!?。，]{1,24}`;

/** The patterns of a language. */
function patternsOf({
  drop,
  orders,
  earlier,
  all,
  everything,
  disobey,
  reveal,
  prompt,
  unbound,
  role,
  space,
}: Language): InjectionPattern[] {
  const isSpaced = space === undefined;
  const gap = (most: number) => (isSpaced ? String.raw`(?:\s+${word}){0,${most}}\s+` : `[^\\s.!?。]{0,${most * 3}}`);
  const edge = isSpaced && /^[a-z(]/.test(drop) ? String.raw`\b` : '';
  return [
    { pattern: `${edge}(?:${drop})${gap(3)}(?:${earlier})${gap(2)}(?:${orders})`, score: 0.9 },
    { pattern: `${edge}(?:${drop})${gap(3)}(?:${orders})${gap(3)}(?:${earlier})`, score: 0.9 },
    { pattern: `${edge}(?:${drop})${gap(1)}(?:${all})${gap(2)}(?:${orders})`, score: 0.9 },
    { pattern: `${edge}(?:${drop})${gap(1)}(?:${everything})`, score: 0.85 },
    { pattern: `${edge}(?:${disobey})${gap(3)}(?:${orders})`, score: 0.8 },
    { pattern: `${edge}(?:${reveal})${gap(3)}(?:${prompt})`, score: 0.8 },
    { pattern: `${edge}(?:${unbound})`, score: 0.75 },
    { pattern: `${edge}(?:${role})`, score: 0.7 },
  ];
}

const languages: readonly Language[] = [
  // Spanish
  {
    drop: 'olvid[ae]|olvide|ignor[ae]|ignores|descarta|omite|pasa por alto|haz caso omiso de|desestima',
    orders: 'instrucci[oó]n(?:es)?|[oó]rdenes|indicaciones|reglas|normas|directrices|comandos|prompts?',
    earlier: 'anteriores|previas|previos|precedentes|de arriba|originales|iniciales|del sistema|recibidas|dadas|que (?:te|has)',
    all: 'todas?|todos|tus|sus|cualquier',
    everything: 'todo lo (?:anterior|que|dicho|de arriba)|todo y|lo anterior|cuanto te',
    disobey: 'no (?:sigas|siga|obedezcas|hagas caso|respetes|cumplas)|deja de (?:seguir|obedecer|cumplir)',
    reveal: 'mu[eé]stra(?:me)?|revela(?:me)?|dime|imprime|repite|escribe|ens[eé]ña(?:me)?|copia|dame|cu[aá]les son',
    prompt:
      'prompt|instrucciones (?:iniciales|originales|del sistema|ocultas|secretas|internas)|mensaje de(?:l)? sistema|tus instrucciones|texto (?:anterior|de arriba)',
    unbound:
      'sin (?:ninguna? )?(?:restricciones|restricci[oó]n|filtros?|l[ií]mites|censura)|(?:no tienes|ya no hay|no hay) (?:ninguna )?(?:restricciones|restricci[oó]n|reglas|l[ií]mites|filtros)',
    role: 'a partir de ahora,? (?:eres|ser[aá]s|act[uú]a|responde|solo|s[oó]lo|obedece)|ahora eres|obedece(?:r[aá]s)? (?:solo|s[oó]lo|[uú]nicamente) (?:a )?m[ií]|modo (?:desarrollador|dios|sin restricciones|administrador)|finge (?:que eres|ser) una? (?:ia|inteligencia)|(?:nuevas|nueva) instrucci(?:ones|[oó]n):',
  },
  // French
  {
    drop: 'oubli(?:e|es|ez|ons)|ignor(?:e|es|ez)|ne (?:tiens|tenez) (?:pas|plus|aucun) compte (?:de|des)|fais abstraction de|n[ée]glige[z]?|laisse tomber',
    orders: 'instructions?|consignes?|ordres?|r[eè]gles|directives?|prompts?|commandes?',
    earlier:
      "pr[eé]c[eé]dentes?|pr[eé]c[eé]dents|ant[eé]rieure?s?|ci-dessus|initiales?|d[’']origine|du syst[eè]me|donn[eé]es|re[cç]ues|plus haut|ci dessus",
    all: 'toutes?|tous|tes|vos|chacune',
    everything: 'tout ce qu|tout ce qui|tout le reste|ce qui pr[eé]c[eè]de|tout (?:[cç]a|avant)',
    disobey:
      "ne (?:suis|suivez|respecte|respectez|ob[eé]is|ob[eé]issez)(?: [àa])? (?:plus|pas)|(?:arr[eê]te|cesse)[z]? (?:de suivre|d[’']ob[eé]ir)",
    reveal:
      'montre[z]?(?:[- ]moi)?|r[eé]v[eè]le[z]?(?:[- ]moi)?|affiche[z]?|dis(?:[- ]moi)?|r[eé]p[eè]te[z]?|imprime[z]?|donne[z]?(?:[- ]moi)?|copie[z]?|[eé]cris|quelles sont|quel est',
    prompt:
      "prompt|(?:instructions|consignes) (?:initiales|d[’']origine|syst[eè]me|du syst[eè]me|secr[eè]tes|cach[eé]es|internes)|message syst[eè]me|tes (?:instructions|consignes)|texte (?:ci[- ]dessus|pr[eé]c[eé]dent)",
    unbound:
      "sans (?:aucune? )?(?:restrictions?|filtres?|limites?|censure)|tu n[’']as (?:plus )?(?:aucune?|pas de|de) (?:restrictions?|r[eè]gles?|limites?|filtres?)",
    role: "d[eé]sormais,? (?:tu|vous)|[àa] partir de maintenant,? (?:tu|vous|r[eé]ponds)|tu es (?:maintenant|d[eé]sormais)|n[’']ob[eé]is qu[’'][àa] moi|ob[eé]is (?:seulement|uniquement) [àa] moi|mode (?:d[eé]veloppeur|dieu|sans restriction|administrateur)|(?:fais semblant|pr[eé]tends) d[’'][eê]tre une? (?:ia|intelligence)|nouvelles? (?:instructions?|consignes?) ?:",
  },
  // Italian
  {
    drop: 'ignora(?:te|re)?|ignori|dimentica(?:te|re|ti)?|trascura|tralascia|scarta|non considerare|non tenere conto (?:di|delle)',
    orders: 'istruzioni|istruzione|ordini|regole|direttive|indicazioni|comandi|prompt',
    earlier:
      'precedenti|precedente|sopra|di prima|iniziali|originali|di sistema|del sistema|ricevute|date|qui sopra|che (?:ti|hai)',
    all: 'tutte|tutti|ogni|le tue|i tuoi|qualsiasi',
    everything: 'tutto (?:quello|ci[oò]|quanto|il resto|e )|quanto (?:sopra|detto)|ci[oò] che',
    disobey: 'non (?:seguire|obbedire|ubbidire|rispettare|osservare)|smetti di (?:seguire|obbedire|rispettare)',
    reveal: 'mostra(?:mi)?|rivela(?:mi)?|dimmi|stampa|ripeti|scrivi|elenca|dammi|copia|quali sono|qual [eè]',
    prompt:
      'prompt|istruzioni (?:iniziali|originali|di sistema|segrete|nascoste|interne)|messaggio di sistema|tue istruzioni|testo (?:qui )?(?:sopra|precedente)',
    unbound:
      'senza (?:alcuna? |nessuna? )?(?:restrizioni|restrizione|filtri|filtro|limiti|limitazioni|censura)|non hai (?:pi[uù] )?(?:alcuna? |nessuna? )?(?:restrizioni|restrizione|regole|limiti|filtri)',
    role: "d[’']ora in (?:poi|avanti),? |da (?:ora|adesso) in (?:poi|avanti),? (?:sei|sarai|devi|rispondi|obbedisci)|(?:ora|adesso) sei|obbedisci (?:solo|soltanto) a me|modalit[aà] (?:sviluppatore|dio|amministratore|senza restrizioni)|fingi di essere una? (?:ia|intelligenza)|nuove istruzioni ?:",
  },
  // Portuguese
  {
    drop: 'ignor(?:e|a|em|ar)|esque[cç](?:a|e|er|am)|desconsider(?:e|a|ar)|descarte|despreze|deixe de lado',
    orders: 'instru[cç](?:[oõ]es|[aã]o)|ordens|regras|diretrizes|orienta[cç][oõ]es|comandos|prompts?',
    earlier: 'anterior(?:es)?|pr[eé]vi[ao]s|precedentes|acima|iniciais|originais|do sistema|recebidas|dadas|que (?:te|voc[eê])',
    all: 'todas?|todos|suas|seus|tuas|quaisquer|qualquer',
    everything: 'tudo (?:o que|acima|que|isso|e )|o que (?:foi|eu) (?:dito|disse)|o texto acima',
    disobey: 'n[aã]o (?:siga|sigas|obede[cç]a|obede[cç]as|cumpra|respeite)|(?:pare|deixe) de (?:seguir|obedecer|cumprir)',
    reveal:
      'mostr(?:e|a)(?:-me)?|revel(?:e|a)(?:-me)?|diga(?:-me)?|me diga|imprima|repita|escreva|exiba|copie|quais s[aã]o|qual [eé]',
    prompt:
      'prompt|instru[cç][oõ]es (?:iniciais|originais|do sistema|secretas|ocultas|internas)|mensagem de sistema|(?:suas|tuas) instru[cç][oõ]es|texto acima',
    unbound:
      'sem (?:nenhuma? |quaisquer |qualquer )?(?:restri[cç][oõ]es|restri[cç][aã]o|filtros?|limites?|limita[cç][oõ]es|censura)|(?:voc[eê] )?n[aã]o tem (?:mais )?(?:nenhuma? |quaisquer )?(?:restri[cç][oõ]es|restri[cç][aã]o|regras|limites|filtros)',
    role: '(?:a partir de agora|de agora em diante),? (?:voc[eê]|tu|aja|responda|obede[cç]a)|agora voc[eê] [eé]|voc[eê] agora [eé]|obede[cç]a (?:apenas|somente|s[oó]) a mim|modo (?:desenvolvedor|deus|administrador|sem restri[cç][oõ]es)|finja (?:ser|que [eé]) uma? (?:ia|intelig[eê]ncia)|novas instru[cç][oõ]es ?:',
  },
  // Dutch
  {
    drop: 'negeer|negeren|vergeet|sla|laat|schenk geen aandacht aan|hou geen rekening met',
    orders: "instructies?|opdrachten|opdracht|regels|aanwijzingen|bevelen|richtlijnen|prompts?|commando[’']?s",
    earlier: 'vorige|voorgaande|eerdere|bovenstaande|voorafgaande|oorspronkelijke|hierboven|over die je',
    all: 'alle|al|je|jouw|uw|elke',
    everything:
      'alles (?:wat|hiervoor|hierboven|daarvoor|van)|het bovenstaande|al het (?:voorgaande|bovenstaande)|wat (?:hierboven|ik)',
    disobey:
      'volg(?: de| je| jouw)? .{0,20}niet|gehoorzaam .{0,20}niet|stop met (?:het )?(?:volgen|gehoorzamen)(?: van)?|hou je niet aan',
    reveal:
      'toon(?: me| mij)?|laat (?:me|mij)?|onthul|geef(?: me| mij)?|print|herhaal|schrijf|vertel(?: me| mij)?|kopieer|wat (?:is|zijn)',
    prompt:
      'prompt|systeem ?(?:prompt|instructies|bericht)|(?:oorspronkelijke|geheime|verborgen|interne) instructies|(?:je|jouw) instructies|tekst hierboven|bovenstaande tekst',
    unbound:
      'zonder (?:enige )?(?:beperkingen|beperking|filters?|grenzen|restricties|censuur)|je hebt (?:nu )?geen (?:beperkingen|regels|restricties|grenzen|filters)|er gelden geen (?:regels|beperkingen)',
    role: 'volg (?:je|jouw|de) (?:eerdere |vorige |oude )?(?:richtlijnen|regels|instructies) niet|vanaf nu (?:ben|bent|gehoorzaam|luister|antwoord|doe|moet)(?: je| jij| u)?|je bent (?:nu|voortaan)|gehoorzaam (?:alleen|enkel) (?:aan )?mij|luister (?:alleen|enkel) naar mij|ontwikkelaars?modus|doe alsof je een (?:ai|kwaadaardige)|nieuwe instructies ?:',
  },
  // Polish
  {
    drop: 'zignoruj|ignoruj|zapomnij(?: o)?|pomi[nń]|odrzu[cć]|zlekcewa[zż]',
    orders:
      'instrukcj\\S{0,3}|polece\\S{0,3}|zasad\\S{0,2}|wytyczn\\S{0,3}|rozkaz\\S{0,2}|regu[lł]\\S{0,2}|prompt\\S{0,2}|komend\\S{0,2}',
    earlier: 'poprzedni\\S{0,3}|wcze[sś]niejsz\\S{0,3}|powy[zż]sz\\S{0,3}|pierwotn\\S{0,3}|dotychczasow\\S{0,3}|systemow\\S{0,3}',
    all: 'wszystki\\S{0,3}|wszelki\\S{0,3}|swoi\\S{0,3}|swoj\\S{0,3}|twoj\\S{0,3}',
    everything: 'wszystko|wszystkim,? (?:co|powy[zż]ej)|wszystkiego|to,? co (?:powiedzia|napisa)|tym,? co|o wszystkim',
    disobey:
      'nie (?:przestrzegaj|s[lł]uchaj|stosuj(?: si[eę])?|wykonuj)|przesta[nń] (?:przestrzega[cć]|s[lł]ucha[cć]|stosowa[cć])',
    reveal: 'poka[zż](?: mi)?|ujawnij|wy[sś]wietl|powt[oó]rz|wypisz|podaj|napisz|zdrad[zź]|wydrukuj|jakie s[aą]|jaki jest',
    prompt:
      'prompt|(?:tajn|ukryt|pocz[aą]tkow|systemow|pierwotn|wewn[eę]trzn)\\S{1,3} instrukcj|instrukcj\\S{1,3} (?:systemow|pocz[aą]tkow|ukryt|tajn)|swoje instrukcje|twoje instrukcje|komunikat systemowy|tekst powy[zż]ej|powy[zż]szy tekst',
    unbound:
      'bez (?:[zż]adnych )?(?:ogranicze[nń]|filtr[oó]w|limit[oó]w|cenzury)|nie masz (?:ju[zż] )?(?:[zż]adnych )?(?:ogranicze[nń]|zasad|regu[lł]|filtr[oó]w)',
    role: 'od (?:teraz|tej pory|tej chwili),? (?:jeste[sś]|b[eę]dziesz|s[lł]uchaj|odpowiadaj|masz)|(?:teraz jeste[sś]|jeste[sś] teraz)|s[lł]uchaj (?:tylko|wy[lł][aą]cznie) mnie|tryb(?:u|ie)? (?:programisty|deweloper\\S*|boga|administratora)|udawaj,? [zż]e jeste[sś]|nowe instrukcje ?:',
  },
  // Russian
  {
    drop: 'проигнорируй(?:те)?|игнорируй(?:те)?|игнорировать|забудь(?:те)?(?: об?о?| про)?|не обращай(?:те)? внимания на|отбрось(?:те)?|пренебреги|отмени',
    orders:
      'инструкци\\S{0,3}|указани\\S{0,3}|правил\\S{0,3}|команд\\S{0,3}|приказ\\S{0,3}|распоряжени\\S{0,3}|промпт\\S{0,3}|директив\\S{0,3}|предписани\\S{0,3}',
    earlier:
      'предыдущи\\S{0,3}|прежни\\S{0,3}|предшествующи\\S{0,3}|вышеуказанн\\S{0,3}|вышестоящи\\S{0,3}|выше|ранее|исходн\\S{0,3}|начальн\\S{0,3}|системн\\S{0,3}|прошл\\S{0,3}',
    all: 'все|всех|всё|свои|своих|твои|любые',
    everything:
      'вс[её],? (?:что|выше|сказанное|предыдущее|вышесказанное)|вс[её]м,? что|то,? что (?:я|было)|вышесказанное|вс[её] (?:и|это)',
    disobey:
      'не (?:следуй(?:те)?|подчиняйся|соблюдай(?:те)?|слушай(?:ся)?|выполняй(?:те)?)|перестань(?:те)? (?:следовать|соблюдать|подчиняться|выполнять)',
    reveal:
      'покажи(?:те)?|раскрой(?:те)?|выведи(?:те)?|напечатай(?:те)?|повтори(?:те)?|назови|скажи|напиши|расскажи|перечисли|процитируй|какие у тебя|какой у тебя',
    prompt:
      'промпт\\S{0,2}|(?:системн|исходн|начальн|скрыт|секретн|первоначальн)\\S{1,3} (?:инструкци|сообщени|указани)|свои инструкции|твои инструкции|текст выше|вышеприведенн\\S{0,3} текст',
    unbound:
      'без (?:каких[- ]либо |всяких |любых )?(?:ограничений|фильтров|цензуры|правил)|у тебя (?:больше )?нет (?:никаких |больше )?(?:ограничений|правил|фильтров|запретов)',
    role: '(?:с этого момента|отныне|теперь),? (?:ты|вы) |(?:подчиняйся|слушайся|слушай) только (?:мне|меня)|режим(?:е)? (?:разработчика|бога|администратора|без ограничений)|(?:притворись|представь),? что ты (?:злой|не имеешь|ии)|новые инструкции ?:',
  },
  // Arabic
  {
    drop: 'تجاهل|تجاهلي|انس|انسَ|انسى|إنس|اترك|تغاض عن|لا تلتفت إلى|أهمل',
    orders: '(?:ال)?(?:تعليمات|أوامر|اوامر|قواعد|توجيهات|إرشادات|ارشادات|موجه)\\S{0,3}',
    earlier: 'السابقة|السابق|أعلاه|اعلاه|الأصلية|الأولية|المذكورة|الماضية|النظام|قبل',
    all: 'جميع|كل|كافة|كافّة',
    everything: 'كل (?:ما|شيء|شئ)|جميع ما|ما (?:سبق|قيل|ورد|قلته)',
    disobey: 'لا (?:تتبع|تطع|تلتزم|تنفذ|تتقيد)|توقف عن (?:اتباع|تنفيذ|الالتزام|إتباع)',
    reveal: 'أظهر|اظهر|اكشف|اعرض|اطبع|كرر|اكتب|أخبرني|اخبرني|أعطني|اعطني|قل لي|ما هي|ما هو',
    prompt:
      'موجه النظام|تعليمات(?:ك)? (?:النظام|الأصلية|السرية|المخفية|الأولية)|تعليماتك|رسالة النظام|النص (?:أعلاه|السابق|الموجود أعلاه)|البرومبت',
    unbound:
      '(?:بدون|دون|بلا) (?:أي |أية )?(?:قيود|قواعد|حدود|رقابة|فلاتر|مرشحات)|(?:ليس|لا يوجد|ليست) (?:لديك|عليك|لك) (?:أي |أية )?(?:قيود|قواعد|حدود)',
    role: '(?:من الآن فصاعدا|من الان فصاعدا|منذ الآن|اعتبارا من الآن)\\S{0,2}|أنت الآن|انت الان|أطعني (?:أنا )?(?:فقط|وحدي)|أطع(?:ني)? فقط|وضع المطور|تظاهر (?:بأنك|أنك)|تعليمات جديدة ?:',
  },
  // Chinese
  {
    drop: '忽略|无视|無視|忘记|忘記|忘掉|忽视|抛开|不要理会|不要管|别管|跳过|丢弃|不理会|忽略掉|請忽略',
    orders: '指令|指示|命令|规则|規則|提示词|提示詞|提示|说明|說明|要求|设定|設定|约束|内容|限制',
    earlier: '之前|以前|先前|上述|上面|前面|以上|此前|原来|原有|最初|系统|系統|刚才',
    all: '所有|全部|任何|一切|你的',
    everything: '(?:以上|上面|之前|前面)(?:的)?(?:所有|一切|全部|内容|內容|对话|文字|说)|一切|所有之前',
    disobey: '(?:不要|别|不必|不用|停止|不再|拒绝)(?:再)?(?:遵守|遵循|服从|听从|執行|执行)',
    reveal: '显示|顯示|告诉我|告訴我|输出|輸出|打印|重复|重複|复述|透露|泄露|展示|列出|说出|给我看|公开',
    prompt:
      '系统提示|系統提示|提示词|提示詞|初始指令|原始指令|系统指令|系統指令|系统消息|你的指令|隐藏(?:的)?指令|上面的(?:文字|内容|文本)|以上(?:的)?(?:文字|内容|文本)',
    unbound:
      '(?:没有|沒有|不受|无|無|摆脱|解除|不再有|绕过)(?:任何|一切|所有)?(?:的)?(?:限制|约束|約束|规则|規則|过滤|審查|审查)',
    role: '从现在(?:开始|起)|從現在(?:開始|起)|你现在是|你現在是|现在你是|只(?:听|服从|聽)(?:从)?我|(?:开发者|開發者|上帝|管理员|越狱)模式|假装你(?:是|没有)|新(?:的)?指令[:：是]',
    space: '',
  },
  // Japanese
  {
    drop: '無視',
    orders: '指示|命令|ルール|規則|プロンプト|指令|設定|制約|制限',
    earlier: '以前|これまで|前述|上記|以上|先ほど|前|最初|元|システム|今まで',
    all: 'すべて|全て|全部|あらゆる|あなた',
    everything: 'して(?:ください|下さい|、|答え|くれ|次)',
    disobey: '従わない|従うな|守らない|従うのをやめ|従う必要は(?:ない|ありません)',
    reveal: '表示|教えて|出力|見せて|開示|繰り返し|書き出し|明かし|公開',
    prompt: 'プロンプト',
    unbound:
      '(?:制限|制約|ルール|フィルター?|検閲|規制)(?:は|が|も)?(?:一切|もう|全く)?(?:なし|なく|無し|無く|ない|ありません|無い|解除|に縛られ)',
    role: '(?:今から|これから|今後)(?:は|、)*(?:あなた|君|私だけ|私の命令)|あなたは(?:今|もう|これから)|(?:私|わたし|俺|僕)(?:の(?:命令|指示))?(?:だけ|のみ)に(?:従|服従)|(?:開発者|デベロッパー|管理者|神)モード|(?:新しい|新たな)(?:指示|命令)[:：は]',
    space: '',
  },
];

/** In Japanese and German verbs come last, and so they are phrases of their own. */
const verbLast: readonly InjectionPattern[] = [
  {
    pattern:
      '(?:以前|これまで|前述|上記|以上|先ほど|前|最初|元|システム|すべて|全て|全部|あなた|今まで)[^\\s。]{0,12}(?:指示|命令|ルール|規則|プロンプト|指令|設定|制約|内容|会話|文章)[^\\s。]{0,10}(?:無視|忘れ|破棄|従わない|従うな|守らない|やめ|捨て|取り消)',
    score: 0.9,
  },
  {
    pattern:
      '(?:上記|以上|これまで|今まで)(?:の|に)?(?:こと|話|言った|すべて|全て|全部)?[^\\s。]{0,8}(?:無視し|忘れて|忘れろ|破棄)',
    score: 0.85,
  },
  {
    pattern:
      '(?:システム|初期|最初|元|隠された|秘密|内部|あなた)[^\\s。]{0,6}(?:プロンプト|指示|命令|メッセージ|設定)[^\\s。]{0,10}(?:表示|教えて|出力|見せ|開示|繰り返|書き出|明かし|公開|言って|暴露)',
    score: 0.8,
  },
  { pattern: '(?:上記|上|前)の(?:文章|テキスト|内容|文)[^\\s。]{0,8}(?:繰り返|出力|表示|書き出|コピー)', score: 0.75 },
  {
    pattern: String.raw`\b(?:folge|folgen sie|befolge|befolgen sie|gehorche)\s+(?:[\p{L}]+\s+){0,4}(?:nicht(?: mehr)?|keinen?)\b`,
    score: 0.6,
  },
  {
    pattern: String.raw`\b(?:du hast|sie haben|es gibt)\s+(?:(?:ab jetzt|nun|jetzt|keinerlei)\s+)?kein(?:e|erlei)?\s+(?:\p{L}+\s+)?(?:einschränkungen|beschränkungen|regeln|filter|grenzen|vorgaben)|\bohne\s+(?:jede\s+|jegliche\s+)?(?:einschränkungen?|beschränkungen?|zensur|filter)\b`,
    score: 0.75,
  },
  {
    pattern: String.raw`\b(?:ab (?:jetzt|sofort)|von nun an)\s+(?:bist|gehorchst|antwortest|hörst|befolgst|sind|gehorche)\s+(?:du|sie|nur)|\b(?:gehorche|gehorchst|höre|hörst)\s+(?:du\s+)?nur\s+(?:noch\s+)?(?:auf\s+)?mi[rc]h?\b|\bdu\s+bist\s+(?:jetzt|nun|ab\s+sofort)\s+`,
    score: 0.65,
  },
  {
    pattern: String.raw`\bneue\s+(?:anweisung(?:en)?|regeln|aufgaben?)\s*:|\b(?:umgehe|deaktiviere|überschreibe|missachte)\s+(?:alle\s+)?deine\s+\p{L}*(?:filter|regeln|richtlinien|sperren|beschränkungen|vorgaben)|\btu\s+so,?\s+als\s+(?:wärst|ob)\s+du\s+(?:eine?\s+)?(?:böse\p{L}*|unzensierte?\p{L}*|ki|keine)\s`,
    score: 0.7,
  },
  {
    pattern: String.raw`\b(?:gib|nenne?|zeige?|schreibe?)\s+(?:mir\s+)?(?:alle\s+)?(?:die|deine)\s+(?:\p{L}+\s+){0,2}(?:anweisungen|instruktionen)\s*(?:aus|,\s*die\s+du)`,
    score: 0.8,
  },
  {
    pattern: String.raw`\b(?:zeige?|nenne?|verrate?|gib|wiederhole?|drucke?|schreibe?|offenbare?)\s+(?:[\p{L}]+\s+){0,4}(?:system[- ]?prompts?|systemanweisung\p{L}*|systemnachricht|ursprünglichen\s+anweisungen|versteckten\s+anweisungen|geheimen\s+anweisungen|text\s+(?:oben|darüber|über\s+dies\p{L}*)|obigen\s+text)`,
    score: 0.8,
  },
];

/** Phrases in other languages than English. */
export const languagePatterns: readonly InjectionPattern[] = [...languages.flatMap(patternsOf), ...verbLast];
