/** The alphabetic ISO codes of currencies that the runtime knows. */
export const isoCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * Returns the currencies that a word or a numeric code may mean. `Pesos` are the currency of several countries, `US Dollar` is
 * one currency, and `978` is the numeric code of the euro. Case, accents, dots and hyphens do not matter.
 *
 * @returns undefined for an unknown text, and for an alphabetic ISO code such as `EUR`
 */
export function currenciesOfName(text: string): ReadonlySet<string> | undefined {
  return /^\d{2,3}$/.test(text) ? codesOfNumbers.get(text.padStart(3, '0')) : codesOfName.get(foldName(text));
}

/** Returns the same text for all names that differ only in case, character width, accents, dots, hyphens or spaces. */
function foldName(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase()
    .replace(/ł/g, 'l')
    .replace(/[øö]/g, 'o')
    .replace(/đ/g, 'd')
    .replace(/ı/g, 'i')
    .replace(/[\s-]+/g, ' ')
    .trim();
}

/** Groups of currency names in the languages of bank statements, and the ISO codes that each name of the group may mean. */
const codesOfNames: readonly (readonly [names: string, codes: string])[] = [
  [
    'dollar; dollars; dólar; dólares; dollaro; dollari; dolary; dolari; dolarów; доллар; доллары; долларов; долл; долар; долари; ドル; 달러; דולר; דולרים; دولار',
    'USD AUD BBD BMD BND BSD BZD CAD FJD GYD HKD JMD KYD LRD NAD NZD SBD SGD SRD TTD TWD XCD ZWG ZWL',
  ],
  [
    `us dollar; us dollars; dollar us; dollars us; american dollar; american dollars; united states dollar; dollar américain;
    dollars américains; dollar des états unis; dólar americano; dólares americanos; dólar estadounidense; dólares estadounidenses;
    dólar usa; dólares usa; dólar eua; dollaro usa; dollari usa; dollaro americano; dollaro statunitense; usa dollar;
    amerikanischer dollar; amerikaanse dollar; amerikansk dollar; amerikanske dollar; amerikanska dollar; dolar amerykański; dolar amerykanski; dolary amerykańskie;
    dolar american; dolari americani; americký dolar; abd doları; amerikan doları; usa dollár; доллар сша; доллары сша; долларов сша; долл сша; долар сша; долари сша;
    美元; 美金; 美圓; 米ドル; usドル; 미국 달러; 미국달러; 미화; đô la mỹ; דולר ארהב; دولار أمريكي`,
    'USD',
  ],
  [
    'canadian dollar; canadian dollars; dollar canadien; dollars canadiens; dólar canadiense; dólares canadienses; kanadischer dollar; dollaro canadese; dolar kanadyjski; канадский доллар; 加元; 加拿大元; カナダドル',
    'CAD',
  ],
  [
    'australian dollar; australian dollars; dollar australien; dólar australiano; dólares australianos; australischer dollar; dollaro australiano; dolar australijski; австралийский доллар; 澳元; 澳大利亚元; 豪ドル',
    'AUD',
  ],
  ['new zealand dollar; new zealand dollars; 新西兰元; 紐西蘭元; nzドル; ニュージーランドドル', 'NZD'],
  ['hong kong dollar; hong kong dollars; 港元; 港币; 港幣; 香港ドル; гонконгский доллар; 홍콩 달러', 'HKD'],
  ['singapore dollar; singapore dollars; 新加坡元; 新币; シンガポールドル; 싱가포르 달러', 'SGD'],
  ['taiwan dollar; taiwan dollars; new taiwan dollar; new taiwan dollars; 新台币; 新台幣; 新臺幣; 台湾ドル', 'TWD'],
  [
    'euro; euros; eura; eurá; eurů; euroa; eurų; eiro; evro; евро; євро; ευρώ; ユーロ; 欧元; 歐元; 유로; יורו; אירו; يورو',
    'EUR',
  ],
  [
    'pound; pounds; pfund; libra; libras; livre; livres; funt; funty; фунт; фунты; ポンド; 파운드',
    'GBP EGP FKP GIP LBP SDG SHP SSP SYP',
  ],
  [
    'sterling; pound sterling; pounds sterling; british pound; british pounds; british pound sterling; uk pound; uk pounds; gb pound; pfund sterling; britisches pfund; libra esterlina; libras esterlinas; livre sterling; livres sterling; sterlina; sterline; lira sterlina; lire sterline; brits pond; britse pond; funt brytyjski; funt szterling; britiska pund; britiske pund; brittiska pund; britská libra; lira sterlină; фунт стерлингов; фунты стерлингов; 英镑; 英鎊; 英ポンド; 영국 파운드; 파운드화',
    'GBP',
  ],
  ['egyptian pound; egyptian pounds; جنيه مصري', 'EGP'],
  [
    'yen; yens; japanese yen; jen; jeny; yenes; yen japonais; yen japonés; иена; иены; йена; йены; 日元; 日圆; 日圓; 日本円; 엔; 엔화; 일본 엔',
    'JPY',
  ],
  [
    'yuan; yuanes; renminbi; yuan renminbi; chinese yuan; chinese renminbi; 人民币; 人民币元; 人民幣; 人民元; 中国元; юань; юани; китайский юань; 위안; 위안화',
    'CNY',
  ],
  ['won; korean won; south korean won; 韩元; 韓元; 韩币; ウォン; 원화', 'KRW'],
  ['peso; pesos; песо; ペソ; 比索; 페소', 'ARS CLP COP CUP DOP MXN PHP UYU'],
  ['peso argentino; pesos argentinos; argentine peso; argentine pesos', 'ARS'],
  ['peso chileno; pesos chilenos; chilean peso; chilean pesos', 'CLP'],
  ['peso colombiano; pesos colombianos; colombian peso; colombian pesos', 'COP'],
  ['peso dominicano; pesos dominicanos; dominican peso; dominican pesos', 'DOP'],
  ['peso mexicano; pesos mexicanos; mexican peso; mexican pesos', 'MXN'],
  ['peso uruguayo; pesos uruguayos; uruguayan peso; uruguayan pesos', 'UYU'],
  ['philippine peso; philippine pesos; peso filipino; pesos filipinos', 'PHP'],
  ['sol; soles; nuevo sol; nuevos soles; sol peruano; soles peruanos', 'PEN'],
  ['colón; colones', 'CRC SVC'],
  ['colón costarricense; colones costarricenses', 'CRC'],
  ['quetzal; quetzales', 'GTQ'],
  ['lempira; lempiras', 'HNL'],
  ['córdoba; córdobas', 'NIO'],
  ['guaraní; guaraníes', 'PYG'],
  ['boliviano; bolivianos', 'BOB'],
  ['bolívar; bolívares', 'VES VEF'],
  ['balboa; balboas', 'PAB'],
  ['real; reais; reales; real brasileiro; reais brasileiros; brazilian real; real brasileño; reales brasileños', 'BRL'],
  [
    'franc; francs; franken; franco; francos; franchi; frank; franki; франк; франки; フラン',
    'CHF BIF CDF DJF GNF KMF RWF XAF XOF XPF',
  ],
  [
    'swiss franc; swiss francs; schweizer franken; franc suisse; francs suisses; franco suizo; francos suizos; franco suíço; francos suíços; franco svizzero; franchi svizzeri; zwitserse frank; frank szwajcarski; franki szwajcarskie; schweiziska franc; sveitsiske franc; швейцарский франк; швейцарские франки; 瑞士法郎; スイスフラン; 스위스 프랑',
    'CHF',
  ],
  ['franc cfa; francs cfa; cfa franc; cfa francs', 'XAF XOF'],
  ['franc cfp; francs cfp; franc pacifique; cfp franc', 'XPF'],
  [
    'krona; kronor; krone; kroner; kronur; kronen; korona; korony; couronne; couronnes; corona; coronas; corone; coroa; coroas; crown; crowns; крона; кроны',
    'SEK NOK DKK ISK CZK',
  ],
  [
    'svensk krona; svenska kronor; swedish krona; swedish kronor; schwedische krone; schwedische kronen; couronne suédoise; couronnes suédoises; corona sueca; coronas suecas; korona szwedzka; svenske kroner; ruotsin kruunu; шведская крона; шведские кроны; 瑞典克朗',
    'SEK',
  ],
  [
    'norsk krone; norske kroner; norwegian krone; norwegian kroner; norwegische krone; norwegische kronen; couronne norvégienne; couronnes norvégiennes; corona noruega; coronas noruegas; korona norweska; norska kronor; норвежская крона; норвежские кроны; 挪威克朗',
    'NOK',
  ],
  [
    'dansk krone; danske kroner; danish krone; danish kroner; dänische krone; dänische kronen; couronne danoise; couronnes danoises; corona danesa; coronas danesas; korona duńska; danska kronor; датская крона; датские кроны; 丹麦克朗',
    'DKK',
  ],
  ['íslensk króna; íslenskar krónur; króna; krónur; icelandic krona; icelandic krónur', 'ISK'],
  ['koruna; koruny; korun', 'CZK SKK'],
  [
    'česká koruna; koruna česká; české koruny; korun českých; czech koruna; czech crown; tschechische krone; tschechische kronen; couronne tchèque; corona checa; korona czeska; чешская крона',
    'CZK',
  ],
  [
    'złoty; złote; złotych; złoty polski; polski złoty; polish zloty; polnischer zloty; złotówki; zlotys; злотый; злотые; злотий; 兹罗提',
    'PLN',
  ],
  ['forint; forints; magyar forint; hungarian forint; ungarischer forint; форинт; форинты', 'HUF'],
  ['leu românesc; lei românești; romanian leu; romanian lei; rumänischer leu; румынский лей', 'RON'],
  ['leu moldovenesc; lei moldovenești; moldovan leu; moldovan lei; молдавский лей', 'MDL'],
  ['lev; leva; лев; лева; български лев; bulgarian lev; bulgarian leva', 'BGN'],
  ['dinar; dinars; dinara; dinari; dinares; динар; динара; динари', 'BHD DZD IQD JOD KWD LYD RSD TND'],
  ['srpski dinar; српски динар; serbian dinar; serbian dinars', 'RSD'],
  ['dinar tunisien; dinars tunisiens; tunisian dinar; tunisian dinars', 'TND'],
  ['dinar algérien; dinars algériens; algerian dinar; algerian dinars', 'DZD'],
  ['jordanian dinar; دينار أردني', 'JOD'],
  ['kuwaiti dinar; دينار كويتي', 'KWD'],
  ['bahraini dinar; دينار بحريني', 'BHD'],
  ['denar; denari; денар; денари', 'MKD'],
  ['konvertibilna marka; konvertibilne marke', 'BAM'],
  ['kuna; kune', 'HRK'],
  ['lira; liras; lire; лира; лиры', 'TRY LBP SYP'],
  [
    'türk lirası; turkish lira; turkish liras; türkische lira; lira turca; liras turcas; lire turche; livre turque; livres turques; lira turecka; турецкая лира; 土耳其里拉',
    'TRY',
  ],
  ['rouble; roubles; ruble; rubles; rubel; rublo; rublos; rubli; рубль; рубли; рублей; 卢布; ルーブル', 'RUB BYN'],
  [
    'российский рубль; российские рубли; российских рублей; руб рф; russian ruble; russian rubles; russian rouble; russischer rubel',
    'RUB',
  ],
  ['белорусский рубль; белорусские рубли; бел руб; беларускі рубель; belarusian ruble', 'BYN'],
  ['гривня; гривна; гривны; гривні; гривень; hryvnia; hryvna', 'UAH'],
  ['tenge; казахстанский тенге', 'KZT'],
  ['dram; драм', 'AMD'],
  [
    'shekel; shekels; sheqel; new shekel; new shekels; israeli shekel; israeli new shekel; schekel; шекель; שקל; שקלים; שקל חדש; שקלים חדשים',
    'ILS',
  ],
  ['rand; south african rand', 'ZAR'],
  ['naira; nigerian naira', 'NGN'],
  ['cedi; cedis; ghana cedi; ghana cedis', 'GHS'],
  ['shilling; shillings', 'KES SOS TZS UGX'],
  ['kenyan shilling; kenyan shillings; kenya shilling; kenya shillings', 'KES'],
  ['tanzanian shilling; tanzanian shillings', 'TZS'],
  ['ugandan shilling; ugandan shillings', 'UGX'],
  ['dirham; dirhams; dírham; дирхам', 'AED MAD'],
  ['uae dirham; uae dirhams; emirati dirham; درهم إماراتي', 'AED'],
  ['moroccan dirham; moroccan dirhams; dirham marocain; dirhams marocains; درهم مغربي', 'MAD'],
  ['riyal; riyals; rial; rials', 'IRR OMR QAR SAR YER'],
  ['saudi riyal; saudi riyals; ريال سعودي', 'SAR'],
  ['qatari riyal; qatari riyals; ريال قطري', 'QAR'],
  ['omani rial; omani rials; ريال عماني', 'OMR'],
  ['rupee; rupees; roupie; roupies; rupia; rupias; rupie; rupien', 'INR IDR LKR MUR NPR PKR SCR'],
  ['indian rupee; indian rupees; indische rupie', 'INR'],
  ['pakistani rupee; pakistani rupees', 'PKR'],
  ['sri lankan rupee; sri lankan rupees', 'LKR'],
  ['nepalese rupee; nepalese rupees', 'NPR'],
  ['mauritian rupee; mauritian rupees', 'MUR'],
  ['rupiah; indonesian rupiah', 'IDR'],
  ['ringgit; malaysian ringgit; ringgit malaysia; 马币; 令吉', 'MYR'],
  ['baht; thai baht; 泰铢; 泰銖; バーツ; 바트', 'THB'],
  ['dong; vietnamese dong; viet nam dong; việt nam đồng; 越南盾', 'VND'],
];

const codesOfName: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  codesOfNames.flatMap(([names, codes]) =>
    names.split(';').map((name) => [foldName(name), new Set(codes.split(' '))] as const),
  ),
);

/**
 * The alphabetic and the numeric ISO 4217 codes of most currencies, including some withdrawn codes. Russian banks still write 810, the old
 * numeric code of the ruble.
 */
const numericCodes =
  'AED784 AFN971 ALL008 AMD051 ANG532 AOA973 ARS032 AUD036 AWG533 AZN944 BAM977 BBD052 BDT050 BGN975 BHD048 BIF108 BMD060 BND096 BOB068 BRL986 BSD044 BTN064 BWP072 BYN933 BZD084 CAD124 CDF976 CHF756 CLP152 CNY156 COP170 CRC188 CUP192 CVE132 CZK203 DJF262 DKK208 DOP214 DZD012 EGP818 ERN232 ETB230 EUR978 FJD242 FKP238 GBP826 GEL981 GHS936 GIP292 GMD270 GNF324 GTQ320 GYD328 HKD344 HNL340 HRK191 HTG332 HUF348 IDR360 ILS376 INR356 IQD368 IRR364 ISK352 JMD388 JOD400 JPY392 KES404 KGS417 KHR116 KMF174 KPW408 KRW410 KWD414 KYD136 KZT398 LAK418 LBP422 LKR144 LRD430 LSL426 LYD434 MAD504 MDL498 MGA969 MKD807 MMK104 MNT496 MOP446 MRU929 MUR480 MVR462 MWK454 MXN484 MYR458 MZN943 NAD516 NGN566 NIO558 NOK578 NPR524 NZD554 OMR512 PAB590 PEN604 PGK598 PHP608 PKR586 PLN985 PYG600 QAR634 RON946 RSD941 RUB643 RUB810 RWF646 SAR682 SBD090 SCR690 SDG938 SEK752 SGD702 SHP654 SLE925 SOS706 SRD968 SSP728 STN930 SVC222 SYP760 SZL748 THB764 TJS972 TMT934 TND788 TOP776 TRY949 TTD780 TWD901 TZS834 UAH980 UGX800 USD840 UYU858 UZS860 VES928 VND704 VUV548 WST882 XAF950 XCD951 XOF952 XPF953 YER886 ZAR710 ZMW967 ZWG924 ZWL932';

const codesOfNumbers: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  numericCodes.split(' ').map((entry) => [entry.slice(3), new Set([entry.slice(0, 3)])] as const),
);
